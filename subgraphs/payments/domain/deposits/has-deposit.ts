import { isByAddress } from '../../model/payment-address.js'
import type { Runtime } from '../../model/runtime.js'
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

/** What asking for a deposit that was not counted needs. */
export type HasUncountedDepositDeps = HasDepositDeps & Pick<Runtime, 'clock'>

/**
 * Whether more is at a watched address of a payment, confirmed or not, than was counted: it was sent at the price that it was
 * asked for at, and is judged by that. Of a payment that was paid it says nothing: its receivers have what came.
 * @throws confirm_rpc_unavailable
 */
export async function hasUncountedDeposit(
  { addresses, readDeposited, clock }: HasUncountedDepositDeps,
  { tenantId, id: paymentId }: Payment,
): Promise<boolean> {
  const [all = []] = await addresses.ofPayments(tenantId, [paymentId])
  // What comes after the watch is never counted, and would stand in the way for ever.
  for (const address of all.filter(({ watchUntil }) => watchUntil > clock.now())) {
    const deposited = await readDeposited(address)
    // Read after the chain: what is counted in between is not taken for missing.
    const { deposits = [] } = (await addresses.read(address)) ?? {}
    const counted = deposits.reduce((total, { amount, isApplied }) => (isApplied ? total + amount : total), 0n)
    if (deposited > counted) return true
  }
  return false
}
