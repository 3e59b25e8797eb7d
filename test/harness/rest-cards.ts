import { cardPayer } from '../../sandbox/demo/card-payer.js'

/** What a payer by card sends. */
export function cardPaymentBody(paymentId: string, card: object, changes: object = {}): Record<string, unknown> {
  const payer = cardPayer('ana@example.com', { card })
  return { payment_id: paymentId, transaction_type: 'cardfiat', ...payer, ...changes }
}

/** The terms of an order that cards pay in fiat to these recipients at the processor, in equal parts. */
export function cardTerms(recipients: readonly string[]): Record<string, unknown> {
  return {
    payment_method_allowed: { cardfiat: true },
    split_payment_config: recipients.map((recipient, index) => ({
      receiver_wallet: `shop-${index}`,
      receiver_percent: 100 / recipients.length,
      recipient_id: recipient,
    })),
  }
}
