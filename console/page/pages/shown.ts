import type { ApiKeysResult, DeliveriesResult, PaymentResult, PaymentSummaryResult } from '../generated/operations.js'

/** A payment as its page shows it. */
export type ShownPayment = NonNullable<PaymentResult['payment']>

/** What a receiver of it gets. */
export type ShownPayout = NonNullable<ShownPayment['payouts']>[number]

/** A delivery as lists and its dialog show it. */
export type ShownDelivery = NonNullable<DeliveriesResult['webhookDeliveries']>['edges'][number]['node']

/** What the overview is made of. */
export type ShownSummary = NonNullable<PaymentSummaryResult['paymentSummary']>

/** What is known of a key. */
export type ShownKey = NonNullable<ApiKeysResult['apiKeys']>[number]
