import { Field, ID, InputType, Int } from 'type-graphql'
import { DateTime, Decimal, EmailAddress } from '../../../kernel/scalars.js'
import type { SubscriptionInterval } from '../model/subscription.js'
import { SubscriptionIntervalEnum } from './subscription.type.js'

@InputType({ description: 'What the plan of a subscription becomes from the next period on; what is left out stays.' })
export class ChangeSubscriptionPlanInput {
  @Field(() => ID, { description: 'Of the subscription.' })
  id!: string

  @Field(() => String, { nullable: true, description: 'What the plan is called.' })
  planName?: string | null

  @Field(() => Decimal, { nullable: true, description: 'What a period costs, in the currency of the first payment.' })
  amountFrom?: string | null

  @Field(() => SubscriptionIntervalEnum, {
    nullable: true,
    description: 'The time between two payments, counted from the next due date.',
  })
  interval?: SubscriptionInterval | null
}

@InputType({ description: 'Who tries which subscription, and for how long.' })
export class StartTrialInput {
  @Field(() => ID, { description: 'The order, which is a subscription.' })
  orderCode!: string

  @Field(() => EmailAddress, { description: 'Who is asked to pay when the trial ends.' })
  payerEmail!: string

  @Field(() => Int, { description: 'How long nothing is due, in days: 1 to 730.' })
  trialDays!: number
}

@InputType({ description: 'How a subscription continues after its first payment.' })
export class SubscriptionConfigInput {
  @Field(() => String, { description: 'What the plan is called.' })
  planName!: string

  @Field(() => SubscriptionIntervalEnum, { description: 'The time between two payments.' })
  interval!: SubscriptionInterval

  @Field(() => DateTime, { nullable: true, description: 'When the next payment is due, to the second.' })
  nextPaymentAt?: string

  @Field(() => Boolean, { nullable: true, description: 'Whether a card on file is charged by itself. By default not.' })
  charge?: boolean

  @Field(() => Int, {
    nullable: true,
    description: 'How often a refused charge is tried again, a day apart. By default never.',
  })
  retryCount?: number
}
