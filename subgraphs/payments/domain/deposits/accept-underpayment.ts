import { AppError, validationError } from '../../../../kernel/errors.js'
import { fromBaseUnits } from '../../../../kernel/money.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import { isByAddress, isUnderpaid, receivedAt } from '../../model/payment-address.js'
import type { AddressReads } from '../../rails/on-chain.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'
import { findPayment } from '../find-payment.js'
import { settleSplitJob } from '../transfers/transfer-jobs.js'
import { assertNothingCame, type HasUncountedDepositDeps } from './has-deposit.js'

/** What accepting an underpayment needs. */
export type AcceptUnderpaymentDeps = HasUncountedDepositDeps &
  Pick<AddressReads, 'isWorthSharing'> &
  Pick<Stores, 'addJob' | 'addresses' | 'payments'>

/**
 * Takes what has come for the whole: the receivers get it, and the payment succeeds. A second time it changes nothing.
 * @throws payment_not_found; payment_already_processed where the payment is not underpaid, or more waits for its confirmations;
 *   validation_error on `id` where a receiver would get less than the least; provider_unavailable where the chain cannot be asked
 */
export async function acceptUnderpayment(
  deps: AcceptUnderpaymentDeps,
  tenant: Tenant,
  { id }: { id: string },
): Promise<Payment> {
  const found = await findPayment(deps, tenant, { id })
  if (isAccepted(found)) return found
  if (!isUnderpaid(found)) throw notUnderpaid()
  await assertNothingCame(deps, found, { isByAddress: true })
  const changed = await deps.payments.change(tenant.id, id, async (locked, em) => {
    if (isAccepted(locked)) return undefined
    if (!isUnderpaid(locked)) throw notUnderpaid()
    const loaded = await deps.addresses.load(em, {
      tenantId: tenant.id,
      paymentId: id,
      chainName: locked.chainName ?? '',
    })
    const last = loaded?.deposits.at(-1)
    if (!loaded || !last || loaded.deposits.some(({ verdict }) => verdict === 'refused')) throw notUnderpaid()
    const { address, deposits } = loaded
    const { total } = receivedAt(address, deposits)
    if (!deps.isWorthSharing(locked, total)) {
      throw validationError([{ field: 'id', message: 'is too little to be shared out among its receivers' }])
    }
    // Accepted is what came, and whatever comes later is more than the whole.
    await deps.addresses.accept(em, address, total)
    await deps.addJob(em, settleSplitJob({ tenantId: tenant.id, paymentId: id, hash: last.hash }))
    const message = 'What came was accepted; the receivers are being paid.'
    const change = {
      status: 'pending' as const,
      dataError: null,
      tidHash: last.hash,
      splitVersion: address.splitVersion,
      receivedAmount: fromBaseUnits(total, address.decimals),
      late: false,
      globalPaymentData: { message },
    }
    return { change, cause: 'underpayment_accepted', notify: true }
  })
  return changed ?? found
}

function isAccepted(payment: Payment): boolean {
  return isByAddress(payment) && payment.tidHash !== null && ['pending', 'success'].includes(payment.status)
}

function notUnderpaid(): AppError {
  return new AppError('payment_already_processed', { message: 'The payment is not underpaid.' })
}
