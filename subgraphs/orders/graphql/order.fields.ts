import { Int } from 'type-graphql'
import { DateTime } from '../../../kernel/scalars.js'
import type { FieldsOf } from '../../../kernel/subgraph-fields.js'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import type { OrderItem, SubscriptionConfig } from '../store/order.entity.js'

const SubscriptionIntervalEnum = graphqlEnum(
  'SubscriptionInterval',
  'The time between two payments of a subscription.',
  { weekly: 'Seven days.', monthly: 'A month; on its last day where it is shorter.', yearly: 'A year.' },
)

/** What the parts of an order consist of; each field is spelled once for its answer, its input and its patch. */
export const ORDER_ITEM: FieldsOf<OrderItem> = {
  name: { type: () => String, description: 'What it is called.' },
  quantity: { type: () => Int, description: 'How many of it, at least 1.' },
  description: { type: () => String, description: 'More about it.', nullable: true },
  imageUrl: {
    type: () => String,
    description: 'A picture of it: an http or https URL; an empty text is none.',
    nullable: true,
  },
}

export const SUBSCRIPTION_CONFIG: FieldsOf<SubscriptionConfig> = {
  planName: { type: () => String, description: 'What the plan is called.', inInput: 'At most 200 characters.' },
  interval: { type: () => SubscriptionIntervalEnum, description: 'The time between two payments.' },
  nextPaymentAt: { type: () => DateTime, description: 'When the next payment is due, to the second.', nullable: true },
  charge: {
    type: () => Boolean,
    description: 'Whether a card on file is charged by itself.',
    inInput: 'By default not.',
    optional: true,
  },
  retryCount: {
    type: () => Int,
    description: 'How often a refused charge is tried again, a day apart.',
    inInput: 'By default never.',
    optional: true,
  },
}
