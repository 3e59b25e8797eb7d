import { ID, InputType, Int } from 'type-graphql'
import { DateTime, Decimal, EmailAddress } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import type { SubscriptionConfig } from '../model/subscription.js'
import type { ChangeSubscriptionPlanInput as ChangePlan } from '../subscriptions/change-subscription-plan.js'
import type { StartTrialInput as StartTrial } from '../subscriptions/start-trial.js'
import { SubscriptionIntervalEnum } from './subscription.type.js'

@Fields<ChangePlan>('input', {
  id: { type: () => ID, description: 'Of the subscription.' },
  planName: { type: () => String, nullable: true, description: 'What the plan is called. At most 200 characters.' },
  amountFrom: {
    type: () => Decimal,
    nullable: true,
    description: 'What a period costs, in the currency of the first payment.',
  },
  interval: {
    type: () => SubscriptionIntervalEnum,
    nullable: true,
    description: 'The time between two payments, counted from the next due date.',
  },
})
@InputType({ description: 'What the plan of a subscription becomes from the next period on; what is left out stays.' })
export class ChangeSubscriptionPlanInput {}

@Fields<StartTrial>('input', {
  orderCode: { type: () => ID, description: 'The order, which is a subscription.' },
  payerEmail: { type: () => EmailAddress, description: 'Who is asked to pay when the trial ends.' },
  trialDays: { type: () => Int, description: 'How long nothing is due, in days: 1 to 730.' },
})
@InputType({ description: 'Who tries which subscription, and for how long.' })
export class StartTrialInput {}

@Fields<SubscriptionConfig>('input', {
  planName: { type: () => String, description: 'What the plan is called. At most 200 characters.' },
  interval: { type: () => SubscriptionIntervalEnum, description: 'The time between two payments.' },
  nextPaymentAt: { type: () => DateTime, nullable: true, description: 'When the next payment is due, to the second.' },
  charge: {
    type: () => Boolean,
    nullable: true,
    description: 'Whether a card on file is charged by itself. By default not.',
  },
  retryCount: {
    type: () => Int,
    nullable: true,
    description: 'How often a refused charge is tried again, a day apart. By default never.',
  },
})
@InputType({ description: 'How a subscription continues after its first payment.' })
export class SubscriptionConfigInput {}
