import type { Transaction } from '../../../../kernel/database.js'
import type { Charge } from '../../store/charge.entity.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'

/**
 * The charge that keeps another one from being handed out, and its refusal from ending the payment: one that was paid, or that another
 * request handed out since the payment was read. The one that was there when it was read is out of the way: it has been ended at the provider.
 */
export async function rivalOf(
  { charges }: Pick<Stores, 'charges'>,
  em: Transaction,
  locked: Payment,
  read: Payment,
): Promise<Charge | undefined> {
  const { tenantId, chargeId } = locked
  const accepted = await charges.acceptedOf(em, locked)
  if (accepted) return (await charges.load(em, { tenantId, id: accepted.chargeId })).charge
  if (locked.status !== 'pending' || !chargeId || chargeId === read.chargeId) return undefined
  return (await charges.load(em, { tenantId, id: chargeId })).charge
}
