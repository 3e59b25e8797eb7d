import type { ReceivedPayment } from '../../model/charge.js'
import type { ChargeUpdate } from './application.js'

/**
 * Whether money came from another person's account than the payer's, and its tenant takes none of that. Many providers do not
 * tell who paid, or mask it: what is not known is no other person.
 */
export async function isFromForeignPayer({ deps, em, record }: ChargeUpdate, { payerHash }: ReceivedPayment) {
  const { tenantId, payerHash: expected } = record.charge
  // Of a charge that was lost with the database its payer may not be known either.
  if (payerHash === undefined || payerHash === expected || expected === '') return false
  return deps.risk.refusesThirdParties(em, tenantId)
}
