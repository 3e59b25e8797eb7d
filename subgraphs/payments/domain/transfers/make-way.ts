import { AppError } from '../../../../kernel/errors.js'
import type { Rails } from '../../rails/find-rail.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'
import type { ApplyChargeDeps } from '../charges/application.js'
import { endOtherCharge, railOfOtherCharge } from '../charges/end-other-charge.js'
import { recordPaidTwice, type PaidTwiceDeps } from './record-paid-twice.js'
import { findBuilt, type SignedVersionDeps } from './signed-version.js'

/** What making way for a wallet's transaction needs. */
export type MakeWayDeps = ApplyChargeDeps & Rails & PaidTwiceDeps & SignedVersionDeps & Pick<Stores, 'alerts'>

/**
 * Ends the charge that a payer has asked for after his wallet had a transaction to sign, once a block has that transaction:
 * the money is there, so nobody must be asked for it again. Where the charge was paid as well, or may be, an operator is told.
 * @param raw the signed transaction
 * @returns the payment as it is then; undefined while no block has the transaction
 * @throws invalid_payment_status where the charge has the payment; provider_unavailable, provider_timeout,
 *   confirm_rpc_unavailable
 */
export async function makeWay(deps: MakeWayDeps, payment: Payment, raw: string): Promise<Payment | undefined> {
  if (!isCharged(payment)) return payment
  const version = await findBuilt(deps, payment, raw)
  if (!version) return payment
  if (!(await version.onChain.minedAt(version.chainName, version))) return undefined
  const rail = railOfOtherCharge(deps, payment, 'crypto')
  const free = rail ? await endOtherCharge(deps, rail, payment) : payment
  if (free.status === 'error') return free
  if ((await recordPaidTwice(deps, free, version)) === 'open') {
    await deps.alerts.raise({ kind: 'paid_twice', subject: payment.id, details: `${version.hash} was mined as well` })
  }
  throw new AppError('invalid_payment_status')
}

function isCharged({ status, transactionType }: Payment): boolean {
  return (status === 'pending' || status === 'success') && transactionType != null && transactionType !== 'crypto'
}
