import { AppError } from '../../../../kernel/errors.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import { paymentFailure } from '../../model/payment-failure.js'
import type { Runtime } from '../../model/runtime.js'
import type { OnChains } from '../../rails/on-chain.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'
import { assertNothingCame, type HasUncountedDepositDeps } from '../deposits/has-deposit.js'
import { findPayment } from '../find-payment.js'
import { watchBuiltJob } from './transfer-jobs.js'

/** What ending a wallet's attempt needs. */
export type EndWalletAttemptDeps = OnChains &
  HasUncountedDepositDeps &
  Pick<Runtime, 'clock'> &
  Pick<Stores, 'addJob' | 'payments'>

const LOOK_AFTER_MS = 30_000

/** The failure of a payment whose payer has left his wallet for another way to pay. */
const ENDED = 'attempt_ended'

/**
 * Ends the attempt of a wallet that has paid nothing, so that its payer can choose another way. A payment that no wallet
 * is asked to pay stays as it is. The chain is asked first: what the wallet has sent counts. One that is sent after this
 * counts too, once a block has it (see `makeWay`).
 * @throws payment_not_found; payment_already_processed where something was handed in, the wallet may have paid, or something is
 *   at an address of the payment; confirm_rpc_unavailable, provider_unavailable
 */
export async function endWalletAttempt(
  deps: EndWalletAttemptDeps,
  tenant: Tenant,
  { id }: { id: string },
): Promise<Payment> {
  return endUnusedWallet(deps, await findPayment(deps, tenant, { id }))
}

/** As `endWalletAttempt`, of a payment that is read already. */
export async function endUnusedWallet(deps: EndWalletAttemptDeps, payment: Payment): Promise<Payment> {
  if (!isWalletAsked(payment)) return payment
  assertUnpaid(payment)
  const { tenantId, id } = payment
  const { unsignedTransaction } = payment
  await assertNothingCame(deps, payment)
  await assertWalletUnused(deps, payment)
  const ended = await deps.payments.change(tenantId, id, async (locked, em) => {
    // What came in between has the last word.
    if (locked.sequence !== payment.sequence) throw new AppError('payment_already_processed')
    const dataError = paymentFailure(ENDED, 'The payer has left his wallet for another way to pay.')
    const { quoteId, updatedAt } = locked
    // What he sends after that is to be found soon, before he has paid another way.
    const job = { tenantId, paymentId: id, builtAt: updatedAt.toISOString() }
    const soon = new Date(deps.clock.now().getTime() + LOOK_AFTER_MS)
    if (unsignedTransaction && quoteId) await deps.addJob(em, watchBuiltJob({ ...job, quoteId }, soon))
    return { change: { status: 'error', dataError }, cause: ENDED, notify: true }
  })
  return ended ?? payment
}

/** What a wallet was given to sign may be on its way, though nobody has handed it in. @throws payment_already_processed */
export async function assertWalletUnused({ onChain }: OnChains, payment: Payment): Promise<void> {
  const { unsignedTransaction } = payment
  if (!isWalletAsked(payment) || !unsignedTransaction) return
  if ((await onChain[unsignedTransaction.family]?.mayBePaid(payment)) === false) return
  throw new AppError('payment_already_processed', {
    message: 'The wallet has sent a transaction since; it may be the one that pays the payment.',
  })
}

function isWalletAsked({ status, transactionType }: Payment): boolean {
  return status === 'pending' && transactionType === 'crypto'
}

function assertUnpaid({ signedTransaction, tidHash, receivedAmount }: Payment): void {
  if (signedTransaction || tidHash || receivedAmount) throw new AppError('payment_already_processed')
}
