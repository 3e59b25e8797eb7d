import type { Transaction } from '../../../../kernel/database.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'

/** What asking whether a payment's card is charged again needs. */
export type IsChargedAgainDeps = Pick<Stores, 'subscriptions'>

/**
 * Whether a subscription may charge the card of a payment again, without its payer: only then the card is kept, and a card of the payer's own is the
 * first of an agreement, of which its issuer is told. The payment that begins a subscription says so itself; of a period's payment, as
 * the first after a trial, its subscription says so.
 */
export async function isChargedAgain(
  { subscriptions }: IsChargedAgainDeps,
  em: Transaction,
  payment: Payment,
): Promise<boolean> {
  if (payment.gatewayMethod !== 'subs') return false
  return payment.subscriptionConfig ? payment.subscriptionConfig.charge : subscriptions.chargesCardOf(em, payment)
}
