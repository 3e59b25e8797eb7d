/** An event that tenants are told of: what happened, and the document in `operations/` that shows its resource. */
export interface WebhookEventRow {
  type: string
  summary: string
  operation: string
}

const rows = (operation: string, events: Readonly<Record<string, string>>): WebhookEventRow[] =>
  Object.entries(events).map(([type, summary]) => ({ type, summary, operation }))

/** Every event of the webhooks, a row each, for the description of the API. */
export const WEBHOOK_EVENTS: readonly WebhookEventRow[] = [
  ...rows('payment', {
    'payment.registered': 'A payment was registered.',
    'payment.pending': 'A payment has a transaction or a charge that its payer can pay.',
    'payment.success': 'A payment is paid, and its receivers have their money.',
    'payment.error': 'A payment failed for a technical reason, expired or was canceled; `data_error` says which.',
    'payment.reproved': 'A payment was refused by the issuer, the processor or the Pix provider.',
    'payment.disputed': "The payer's bank took the money of a paid payment back.",
  }),
  ...rows('refund', {
    'refund.created': 'A refund was asked for.',
    'refund.succeeded': 'The payer has the money of a refund.',
    'refund.failed': 'A refund could not be made; the money stays where it was.',
  }),
  ...rows('order', {
    'order.created': 'An order was created.',
    'order.updated': 'An order was changed, switched on or off, or deleted.',
  }),
  ...rows('subscription', {
    'subscription.started': 'The first payment of a subscription succeeded.',
    'subscription.payment_registered': 'The payment of a period was registered.',
    'subscription.renewed': 'The payment of a period succeeded.',
    'subscription.payment_failed': 'The charge of a period was refused; it is tried again.',
    'subscription.past_due': 'The charge of a period was refused for the last time.',
    'subscription.changed': 'The plan of a subscription changed, from the next period on.',
    'subscription.paused': 'A subscription was paused.',
    'subscription.resumed': 'A subscription goes on: it was paused, or past due for what is owed no more.',
    'subscription.canceled': 'A subscription was canceled.',
  }),
  ...rows('kyc-record', { 'kyc.updated': "A person's identity verification has changed." }),
]
