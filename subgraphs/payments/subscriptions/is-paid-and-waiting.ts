import type { Payment } from '../store/payment.entity.js'
import type { Stores } from '../store/stores.js'

/** What finding out whether a payer has paid needs. */
export type IsPaidAndWaitingDeps = Pick<Stores, 'charges'>

/**
 * Whether a payment that has not succeeded yet was paid: its receivers may wait for weeks, and its payer has done what he had to.
 * What was taken back since is none any more.
 */
export async function isPaidAndWaiting(
  { charges }: IsPaidAndWaitingDeps,
  { tenantId, status, chargeId }: Payment,
): Promise<boolean> {
  if (status !== 'pending' || !chargeId) return false
  return (await charges.find(tenantId, chargeId))?.state === 'paid'
}
