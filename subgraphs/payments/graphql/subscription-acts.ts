import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import type { Subscription } from '../store/subscription.entity.js'
import { cancelSubscription, type CancelSubscriptionDeps } from '../subscriptions/cancel-subscription.js'
import {
  changeSubscriptionPlan,
  type ChangeSubscriptionPlanDeps,
  type ChangeSubscriptionPlanInput as ChangePlan,
} from '../subscriptions/change-subscription-plan.js'
import {
  stopSubscriptionEmails,
  type StopSubscriptionEmailsDeps,
} from '../subscriptions/mails/stop-subscription-emails.js'
import { pauseSubscription, type PauseSubscriptionDeps } from '../subscriptions/pause-subscription.js'
import { resumeSubscription, type ResumeSubscriptionDeps } from '../subscriptions/resume-subscription.js'
import { startTrial, type StartTrialDeps, type StartTrialInput as StartTrial } from '../subscriptions/start-trial.js'
import { ChangeSubscriptionPlanInput, StartTrialInput } from './subscription.inputs.js'
import { SubscriptionType } from './subscription.type.js'

/** What is done about subscriptions needs this. */
export type SubscriptionActsDeps = CancelSubscriptionDeps &
  ChangeSubscriptionPlanDeps &
  PauseSubscriptionDeps &
  ResumeSubscriptionDeps &
  StartTrialDeps &
  StopSubscriptionEmailsDeps

@Resolver()
export class SubscriptionActsResolver {
  @Mutation(() => SubscriptionType, {
    description: 'Ends a subscription now. One that has ended stays as it is.',
  })
  cancelSubscription(
    @Arg('id', () => ID, { description: 'Of the subscription.' }) id: string,
    @Ctx() context: SubgraphContext<SubscriptionActsDeps>,
  ): Promise<Subscription> {
    return cancelSubscription(context.deps, tenantOf(context), { id })
  }

  @Mutation(() => SubscriptionType, {
    description:
      'Changes the plan of a subscription from the next period on. Above what its payer agreed to, his card waits.',
  })
  changeSubscriptionPlan(
    @Arg('input', () => ChangeSubscriptionPlanInput, { description: 'Which subscription, and what changes.' })
    input: ChangePlan,
    @Ctx() context: SubgraphContext<SubscriptionActsDeps>,
  ): Promise<Subscription> {
    return changeSubscriptionPlan(context.deps, tenantOf(context), input)
  }

  @Mutation(() => SubscriptionType, {
    description: 'Pauses a subscription: nothing is registered or charged until it is resumed.',
  })
  pauseSubscription(
    @Arg('id', () => ID, { description: 'Of the subscription.' }) id: string,
    @Ctx() context: SubgraphContext<SubscriptionActsDeps>,
  ): Promise<Subscription> {
    return pauseSubscription(context.deps, tenantOf(context), { id })
  }

  @Mutation(() => SubscriptionType, {
    description: 'Resumes a paused subscription; due dates that passed meanwhile are left out.',
  })
  resumeSubscription(
    @Arg('id', () => ID, { description: 'Of the subscription.' }) id: string,
    @Ctx() context: SubgraphContext<SubscriptionActsDeps>,
  ): Promise<Subscription> {
    return resumeSubscription(context.deps, tenantOf(context), { id })
  }

  @Mutation(() => SubscriptionType, {
    description:
      'Starts a subscription with a trial: its payer is asked by e-mail to pay when that ends. One for a payer and an order.',
  })
  startTrial(
    @Arg('input', () => StartTrialInput, { description: 'Who tries what.' }) input: StartTrial,
    @Ctx() context: SubgraphContext<SubscriptionActsDeps>,
  ): Promise<Subscription> {
    return startTrial(context.deps, tenantOf(context), input)
  }

  @Mutation(() => SubscriptionType, {
    description: 'Sends its payer no more e-mails about what is due; the subscription goes on.',
  })
  stopSubscriptionEmails(
    @Arg('id', () => ID, { description: 'Of the subscription.' }) id: string,
    @Ctx() context: SubgraphContext<SubscriptionActsDeps>,
  ): Promise<Subscription> {
    return stopSubscriptionEmails(context.deps, tenantOf(context), { id })
  }
}
