import { isByAddress } from '../../model/payment-address.js'
import type { AddressReads } from '../../rails/on-chain.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'

/** What asking for a deposit needs. */
export type HasDepositDeps = Pick<AddressReads, 'readDeposited'> & Pick<Stores, 'addresses'>

/**
 * Whether something is at an address of a payment that waits there, confirmed or not: what has come may not have been counted.
 * @throws confirm_rpc_unavailable
 */
export async function hasDeposit({ addresses, readDeposited }: HasDepositDeps, payment: Payment): Promise<boolean> {
  if (payment.status !== 'pending' || !isByAddress(payment)) return false
  const [all = []] = await addresses.ofPayments(payment.tenantId, [payment.id])
  for (const address of all) if ((await readDeposited(address)) > 0n) return true
  return false
}
