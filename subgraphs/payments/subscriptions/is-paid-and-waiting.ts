import type { Transaction } from '../../../kernel/database.js'
import type { Payment } from '../store/payment.entity.js'
import type { Stores } from '../store/stores.js'

/** What finding out whether a payer has paid needs. */
export type IsPaidAndWaitingDeps = Pick<Stores, 'charges'>

/**
 * Whether a payment that has not succeeded yet was paid: its receivers may wait for weeks, and its payer has done what he had to.
 * What was taken back since is none any more.
 * @param em reads in its transaction: one that holds locks never waits for a second connection
 */
export async function isPaidAndWaiting(
  { charges }: IsPaidAndWaitingDeps,
  { tenantId, status, chargeId }: Payment,
  em?: Transaction,
): Promise<boolean> {
  if (status !== 'pending' || !chargeId) return false
  const charge = em
    ? (await charges.load(em, { tenantId, id: chargeId })).charge
    : await charges.find(tenantId, chargeId)
  return charge?.state === 'paid'
}
