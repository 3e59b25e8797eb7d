import { Field, ID, ObjectType } from 'type-graphql'
import { Decimal, JsonValue, Url } from '../../../kernel/scalars.js'
import type { SharedField } from '../../../kernel/subgraph-fields.js'
import {
  GatewayMethodEnum,
  PaymentMethods,
  PaymentMethodsInput,
  SplitReceiver,
  SplitReceiverInput,
  TenantDataInput,
} from '../../../terms/graphql/terms.type.js'
import type { NewPaymentTerms } from '../domain/registration/new-payment.js'
import type { NotSent } from '../domain/registration/register-payment.js'

@ObjectType({ description: 'The integration that a payment belongs to.' })
export class TenantData {
  @Field(() => ID, { description: 'The integration id.' })
  publicClientId!: string

  @Field(() => Url, { description: 'Receives the updates.' })
  webhookUrl!: string
}

/** What an order says is checked where REST sends it too, then ignored. Clients of the graph do not see it: it would say nothing. */
const ORDERS_COUNT = "Checked, then ignored: the order's count."
const ORDERS_COUNTS = "Checked, then ignored: the order's counts."

/**
 * The terms of a payment, each spelled once for the answer, for a registration ('input') and for one from an order ('patch',
 * where all may be absent). A registration's column that is missing here does not compile.
 */
export const PAYMENT_TERMS: Readonly<Record<Exclude<keyof NewPaymentTerms, NotSent> | 'tenantData', SharedField>> = {
  executorId: {
    type: () => String,
    description: '`api_transaction`, or `order_transaction` when it came from an order.',
    inInput: 'Here always the first.',
    inPatch: 'Ignored: it is always `order_transaction`.',
    hiddenInPatch: true,
  },
  tenantData: {
    type: () => TenantData,
    input: () => TenantDataInput,
    patch: () => TenantDataInput,
    description: 'The integration that it belongs to.',
    inPatch: "By default the order's, then the tenant's.",
    nullable: true,
    optional: false,
  },
  paymentMethodAllowed: {
    type: () => PaymentMethods,
    input: () => PaymentMethodsInput,
    patch: () => PaymentMethodsInput,
    description: 'How it may be paid.',
    inInput: 'At least one method.',
    inPatch: ORDERS_COUNT,
    hiddenInPatch: true,
  },
  splitPaymentConfig: {
    type: () => [SplitReceiver],
    input: () => [SplitReceiverInput],
    patch: () => [SplitReceiverInput],
    description: 'Who receives, and which share.',
    inInput: 'The percentages sum to exactly 100.',
    inPatch: ORDERS_COUNT,
    hiddenInPatch: true,
  },
  gatewayMethod: {
    type: () => GatewayMethodEnum,
    description: 'One-time or subscription.',
    inPatch: "Ignored: the order's counts.",
    hiddenInPatch: true,
  },
  fromCurrencySymbol: {
    type: () => String,
    description: 'The fiat currency asked for, e.g. `BRL`.',
    inPatch: ORDERS_COUNTS,
    hiddenInPatch: true,
  },
  amountFrom: {
    type: () => Decimal,
    description: 'The amount in the fiat currency.',
    inInput: 'Above 0, with no more decimals than the currency has.',
    inPatch: ORDERS_COUNTS,
    hiddenInPatch: true,
  },
  toCurrencySymbol: {
    type: () => String,
    description: 'The token that the receivers get, e.g. `USDT`.',
    inPatch: ORDERS_COUNTS,
    hiddenInPatch: true,
  },
  toChain: {
    type: () => String,
    description: 'The chain that the receivers are paid on.',
    inPatch: ORDERS_COUNTS,
    hiddenInPatch: true,
    nullable: true,
    optional: false,
  },
  onRamp: {
    type: () => Boolean,
    description: 'Whether the payer started it as an on-ramp.',
    inInput: 'False for payments received by Pix.',
    inPatch: ORDERS_COUNTS,
    hiddenInPatch: true,
  },
  metadata: {
    type: () => JsonValue,
    description: "The caller's own data.",
    inInput: 'At most 16 KB.',
    inPatch: "The caller's own data, at most 16 KB.",
    nullable: true,
  },
  successUrl: {
    type: () => Url,
    description: 'Where the payment page sends the payer back to once it is paid.',
    inInput: 'https; in the sandbox http on its own machine too.',
    inPatch: "By default the order's.",
    nullable: true,
  },
  cancelUrl: {
    type: () => Url,
    description: 'Where the payment page sends the payer back to before that.',
    inInput: 'https; in the sandbox http on its own machine too.',
    inPatch: "By default the order's.",
    nullable: true,
  },
}
