import { Directive, ID, InputType, Int, ObjectType } from 'type-graphql'
import { DateTime, Decimal, Url } from '../../../kernel/scalars.js'
import { Fields, type SharedField } from '../../../kernel/subgraph-fields.js'
import type { OrderTerms } from '../store/order.entity.js'
import {
  GatewayMethodEnum,
  PaymentMethods,
  PaymentMethodsInput,
  SPLIT_RECEIVER,
  SplitReceiver,
  SplitReceiverInput,
  TENANT_DATA,
  TenantDataInput,
} from '../../../terms/graphql/terms.type.js'
import { ORDER_ITEM, SUBSCRIPTION_CONFIG } from './order.fields.js'

/** The terms of an order, each spelled once for the answer, for creation and for changes. */
const TERMS: Readonly<Record<keyof OrderTerms, SharedField>> = {
  executorId: { type: () => String, description: "Who executes it: the tenant's own word, e.g. `api_transaction`." },
  fromCurrencySymbol: { type: () => String, description: 'The fiat currency, e.g. `BRL`.' },
  amountFrom: {
    type: () => Decimal,
    description: 'The amount in the fiat currency, above 0, with no more decimals than the currency has.',
  },
  toCurrencySymbol: { type: () => String, description: 'The token that the receivers get, e.g. `USDT`.' },
  toChain: {
    type: () => String,
    description: 'The chain that the receivers are paid on.',
    inPatch: 'The chain that the receivers are paid on; null leaves it to the payer.',
    nullable: true,
  },
  onRamp: {
    type: () => Boolean,
    description: 'Whether the payer starts it as an on-ramp; false for payments received by Pix.',
  },
  gatewayMethod: { type: () => GatewayMethodEnum, description: 'One-time or subscription.' },
  paymentMethodAllowed: {
    type: () => PaymentMethods,
    input: () => PaymentMethodsInput,
    patch: () => PaymentMethodsInput,
    description: 'How it may be paid.',
    inInput: 'At least one method. Left out: every method whose product is enabled.',
    inPatch: 'Replaces the allowed methods; at least one. Null: every method whose product is enabled.',
    optional: true,
  },
  orderItems: {
    type: () => [OrderItem],
    input: () => [OrderItemInput],
    patch: () => [OrderItemPatch],
    description: 'What is sold.',
    inInput: 'At most 100.',
    inPatch:
      'Merged by index with what is sold, at most 100 in all, so an empty list changes nothing; null clears the list.',
    optional: true,
  },
  splitPaymentConfig: {
    type: () => [SplitReceiver],
    input: () => [SplitReceiverInput],
    patch: () => [SplitReceiverPatch],
    description: 'Who receives, and which share.',
    inInput: 'The percentages sum to exactly 100.',
    inPatch: 'Merged by index with the receivers; null clears the list.',
    optional: true,
  },
  subscriptionPaymentConfig: {
    type: () => SubscriptionConfig,
    input: () => SubscriptionConfigInput,
    patch: () => SubscriptionConfigPatch,
    description: 'How a subscription continues.',
    inInput: 'Required for a subscription.',
    inPatch: "Merged with the subscription's terms; null clears them.",
    nullable: true,
  },
  tenantData: {
    type: () => OrderTenantData,
    input: () => TenantDataInput,
    description: 'The integration of payments that name none.',
    nullable: true,
    fixed: true,
    hidden: true,
  },
  successUrl: {
    type: () => Url,
    description: 'Where the payment page sends a payer back to once it is paid.',
    inInput: 'https; in the sandbox http on its own machine too.',
    inPatch: 'Where the payment page sends a payer back to once it is paid; null removes it.',
    nullable: true,
  },
  cancelUrl: {
    type: () => Url,
    description: 'Where the payment page sends a payer back to before that.',
    inInput: 'https; in the sandbox http on its own machine too.',
    inPatch: 'Where the payment page sends a payer back to before that; null removes it.',
    nullable: true,
  },
}

@Fields('patch', SPLIT_RECEIVER)
@InputType({ description: 'What to change of the receiver at the same place; one behind the last has to be complete.' })
export class SplitReceiverPatch {}

@Fields('answer', ORDER_ITEM)
@ObjectType({ description: 'Something that is sold.' })
export class OrderItem {}

@Fields('input', ORDER_ITEM)
@InputType({ description: 'Something that is sold.' })
export class OrderItemInput {}

@Fields('patch', ORDER_ITEM)
@InputType({ description: 'What to change of the item at the same place; one behind the last has to be complete.' })
export class OrderItemPatch {}

@Fields('answer', SUBSCRIPTION_CONFIG)
@ObjectType({ description: 'How a subscription continues after its first payment.' })
export class SubscriptionConfig {}

@Fields('input', SUBSCRIPTION_CONFIG)
@InputType({ description: 'How a subscription continues after its first payment.' })
export class SubscriptionConfigInput {}

@Fields('patch', SUBSCRIPTION_CONFIG)
@InputType({ description: "What to change of a subscription's terms; they have to be complete where there were none." })
export class SubscriptionConfigPatch {}

@Directive('@inaccessible')
@Fields('answer', TENANT_DATA)
@ObjectType({ description: "The integration that an order's payments belong to." })
export class OrderTenantData {}

@Directive('@key(fields: "id")')
@Fields('answer', {
  id: { type: () => ID, description: 'The id of the order.' },
  tenantId: { type: () => String, description: 'The tenant whose order it is.' },
  active: { type: () => Boolean, description: 'Whether payments can be registered from it.' },
  createdAt: { type: () => DateTime, description: 'When it was created.' },
  updatedAt: { type: () => DateTime, description: 'When it last changed.' },
  sequence: { type: () => Int, description: 'The number of its last event, from 1.', hidden: true },
  ...TERMS,
})
@ObjectType('Order', { description: 'A reusable checkout order: the terms from which payments are registered.' })
export class OrderType {}

@Fields('input', TERMS)
@InputType({ description: 'A checkout order to create. As JSON it has at most 64 KiB.' })
export class CreateOrderInput {}

@Fields('patch', TERMS)
@InputType({
  description:
    'What to change of an order; what is left out stays as it is, null clears what an order can be without, and is refused for what it needs.',
})
export class UpdateOrderInput {}
