import { Float, ID, Int } from 'type-graphql'
import { Url } from '../../../kernel/scalars.js'
import type { SharedField } from '../../../kernel/subgraph-fields.js'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import type { PaymentMethod } from '../../../terms/methods.js'
import type { OrderItem, SplitReceiver, SubscriptionConfig, TenantData } from '../store/order.entity.js'

/** A GraphQL field for each field of a stored shape: one that is missing here does not compile. */
type FieldsOf<Stored> = Readonly<Record<keyof Stored & string, SharedField>>

const SubscriptionIntervalEnum = graphqlEnum(
  'SubscriptionInterval',
  'The time between two payments of a subscription.',
  { weekly: 'Seven days.', monthly: 'A calendar month.', yearly: 'A calendar year.' },
)

/** What the parts of an order consist of; each field is spelled once for its answer, its input and its patch. */
export const SPLIT_RECEIVER: FieldsOf<SplitReceiver> = {
  receiverWallet: { type: () => String, description: "The receiver's address on the destination chain." },
  receiverPercent: {
    type: () => Float,
    description: 'The share in percent, 0 to 100; all shares sum to exactly 100.',
  },
  recipientId: {
    type: () => String,
    description: "The receiver's id at the card processor; card to fiat needs it.",
    nullable: true,
  },
  liable: { type: () => Boolean, description: 'Whether the receiver is liable for chargebacks.', nullable: true },
  chargeProcessingFee: {
    type: () => Boolean,
    description: "Whether the receiver bears the processor's fee.",
    nullable: true,
  },
}

export const PAYMENT_METHODS: Readonly<Record<PaymentMethod, SharedField>> = {
  crypto: method('A crypto wallet pays on a chain.'),
  pixcrypto: method('Pix pays, the receivers get crypto.'),
  cardcrypto: method('A card pays, the receivers get crypto.'),
  cardfiat: method('A card pays, the receivers get fiat.'),
  cryptofiat: method('Crypto pays, the receivers get fiat.'),
  cryptopix: method('Crypto pays, the receivers get Pix.'),
}

export const TENANT_DATA: FieldsOf<TenantData> = {
  publicClientId: {
    type: () => ID,
    description: 'The integration id.',
    inInput: 'A prefix followed by 32 hex characters.',
  },
  webhookUrl: { type: () => String, input: () => Url, description: 'Receives the status updates of the payments.' },
}

export const ORDER_ITEM: FieldsOf<OrderItem> = {
  name: { type: () => String, description: 'What it is called.' },
  quantity: { type: () => Int, description: 'How many of it, at least 1.' },
  description: { type: () => String, description: 'More about it.', nullable: true },
  imageUrl: { type: () => String, description: 'A picture of it: an http or https URL.', nullable: true },
}

export const SUBSCRIPTION_CONFIG: FieldsOf<SubscriptionConfig> = {
  planName: { type: () => String, description: 'What the plan is called.' },
  interval: { type: () => SubscriptionIntervalEnum, description: 'The time between two payments.' },
  // GraphQL's Int ends in the year 2038.
  nextPaymentAt: {
    type: () => Float,
    description: 'When the next payment is due, in whole Unix seconds.',
    nullable: true,
  },
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

function method(description: string): SharedField {
  return { type: () => Boolean, description, optional: true }
}
