import { FAILURE_REASONS } from './payment-failure.js'

/** What changes a payment, each with what it means: an entry of its history is of one of these kinds. */
export const PAYMENT_CAUSES = {
  ...FAILURE_REASONS,
  registered: 'It was registered.',
  transaction_created: 'Its payer has begun to pay.',
  transaction_signed: "Its payer's wallet has signed.",
  address_opened: 'An address was opened for it.',
  broadcast_refused: 'The chain refused the transaction, which can be signed again.',
  charge_changed: 'The provider changed the charge.',
  charge_paid: "Its payer's money is in.",
  charge_refused: 'The provider refused the charge.',
  charge_replaced: 'Money came for a charge that another one has replaced; it goes back.',
  chargeback_won: 'A dispute was won.',
  deposit_given_back: 'What came to its address was given back.',
  deposit_received: 'Money came to its address.',
  deposit_refused: 'Money that came to its address could not be taken.',
  deposit_undone: 'The chain took back what came to its address.',
  overpaid: 'More came than was due.',
  paid_late: 'Money came when it was too late; it goes back.',
  paid_twice: 'It was paid twice.',
  part_received: 'A part of what is due came to its address.',
  payer_paid: "Its payer's money is in.",
  provider_fee: "The provider's fee is known.",
  receipt_taken_back: "The payer's bank took money back.",
  receivers_paid: 'The receivers have their money.',
  refund_requested: 'A refund was ordered.',
  return_done: 'A refund has reached the payer.',
  return_processing: 'A refund is on its way.',
  return_refused: 'The provider refused to give money back.',
  return_requested: 'A refund is to be sent.',
  underpayment_accepted: 'What came was accepted as the whole.',
} as const
export type PaymentCause = keyof typeof PAYMENT_CAUSES

/** The cause that an entry names; null for one that only an older release knew. */
export function paymentCause(cause: string): PaymentCause | null {
  return Object.hasOwn(PAYMENT_CAUSES, cause) ? (cause as PaymentCause) : null
}
