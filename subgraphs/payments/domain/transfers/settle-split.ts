import { lacksNamedCode } from '../../../../chains/evm/missing-code.js'
import { isLastingRefusal } from '../../../../chains/evm/replace.js'
import { AppError } from '../../../../kernel/errors.js'
import { backoffByAge } from '../../model/backoff.js'
import { isByAddress, type PaymentAddress } from '../../model/payment-address.js'
import type { Runtime } from '../../model/runtime.js'
import type { SplitProgress, SplitSteps } from '../../rails/on-chain.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'
import { bookDeposits, type BookDepositsDeps } from '../deposits/book-deposits.js'
import { bookWalletPayment, type BookWalletPaymentDeps } from './book-wallet-payment.js'
import { succeeded } from './confirm-payment.js'
import { again, SETTLE_SPLIT, type BroadcastJob } from './transfer-jobs.js'

/** What sharing out a split needs. */
export type SettleSplitDeps = SplitSteps &
  BookDepositsDeps &
  BookWalletPaymentDeps &
  Pick<Runtime, 'clock' | 'log'> &
  Pick<Stores, 'addJobNow' | 'addresses' | 'alerts' | 'payments'>

/** Between two steps that are done at once. */
const STEP_MS = 100
/**
 * Of a step that waits for its block; a split whose deposit the chain has dropped may wait for ever. No rarer: each step of one that has
 * waited long for the gas payer would be seen that much later.
 */
const WAIT_BACKOFF = { shortestMs: 1_000, longestMs: 5_000 }
const LATER_MS = 15_000
/** While the chain or the gas payer's signer is away: many failures are over after seconds, and splits that wait pile up. */
const AWAY_BACKOFF = { shortestMs: 3_000, longestMs: LATER_MS }
/**
 * A node that is behind simulates a step on a state in which another one was due: what it refuses is asked again until nodes
 * that lag by 40 blocks of 2 s have caught up, before an operator is called.
 */
const MISTAKEN_MS = 120_000
const ASK_AGAIN_MS = 3_000
/** What was not refused for so long, while it waited for its turn or for a node, begins anew: it is asked again each few seconds otherwise. */
const APART_MS = 60_000
/** What no node takes is refused again, unless its receivers change; each try may cost gas. */
const REFUSED_MS = 600_000
/** Errors by which the split itself cannot be shared out, however often it is tried. */
export const SPLIT_REFUSALS: readonly string[] = ['broadcast_rejected', 'broadcast_simulation_failed']

/** A job that was refused remembers since when, and when last; ISO 8601. */
interface SplitJob extends BroadcastJob {
  refusedSince?: string | undefined
  refusedAt?: string | undefined
}

/**
 * The job that shares out what a split's address holds: one step at a time, each decided by what the chain shows, so that
 * it may be interrupted and repeated anywhere. The payment succeeds once nothing is left there.
 */
export async function settleSplit(deps: SettleSplitDeps, job: SplitJob): Promise<void> {
  const payment = await deps.payments.find(job.tenantId, job.paymentId)
  if (!payment || payment.tidHash !== job.hash || !isOpen(payment)) return
  try {
    const { kind, delayMs } = await nextStep(deps, payment)
    // What waits is refused still, as far as anybody knows: others may have been at it.
    const { tenantId, paymentId, hash, refusedSince } = job
    if (refusedSince !== undefined && kind !== 'waiting') await deps.alerts.clear('split_failed', paymentId)
    if (delayMs !== undefined) await addAgain(deps, kind === 'waiting' ? job : { tenantId, paymentId, hash }, delayMs)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await comeAgain(deps, job, error, payment)
  }
}

function addAgain(
  { addJobNow, clock }: SettleSplitDeps,
  { refusedSince, refusedAt, ...job }: SplitJob,
  delayMs: number,
): Promise<void> {
  const next = again(SETTLE_SPLIT, job, clock.now(), delayMs)
  const refused = refusedAt === undefined ? { refusedSince } : { refusedSince, refusedAt }
  return addJobNow(refusedSince === undefined ? next : { ...next, payload: { ...next.payload, ...refused } })
}

/** To an address more may come when all was paid, and what was given back from elsewhere lies there: the receivers get it. */
function isOpen(payment: Payment): boolean {
  return payment.status === 'pending' || isByAddress(payment)
}

/** Nothing is lost while the chain is away or the gas payer is out of gas: the money waits at the split's address. */
async function comeAgain(deps: SettleSplitDeps, job: SplitJob, error: AppError, payment: Payment): Promise<void> {
  const { code, details } = error
  const { paymentId } = job
  const now = deps.clock.now()
  deps.log.error({ paymentId, errorCode: code, details }, 'a split waits for the gas payer')
  const chain = deps.settings.chains.find(({ name }) => name === payment.chainName)
  if (chain && lacksNamedCode(error, chain))
    await deps.alerts.raise({ kind: 'chain_mismatch', subject: chain.name, ...(details !== undefined && { details }) })
  if (!SPLIT_REFUSALS.includes(code)) return addAgain(deps, job, backoffByAge(payment.updatedAt, now, AWAY_BACKOFF))
  const isLasting = isLastingOf(error)
  const refusedAt = now.toISOString()
  const refusedSince = refusedInARow(job, now) ?? refusedAt
  const isCertain = isCertainRefusal(error, new Date(refusedSince), now)
  if (isCertain) await deps.alerts.raise({ kind: 'split_failed', subject: paymentId, details: details ?? code })
  const delayMs = isLasting ? REFUSED_MS : isCertain ? LATER_MS : ASK_AGAIN_MS
  await addAgain(deps, { ...job, refusedSince, refusedAt }, delayMs)
}

/** Whether a split is refused for good, or for so long that no node which is behind is the reason. */
export function isCertainRefusal(error: AppError, since: Date, now: Date): boolean {
  return isLastingOf(error) || now.getTime() - since.getTime() >= MISTAKEN_MS
}

function isLastingOf({ code, details }: AppError): boolean {
  return code === 'broadcast_rejected' && isLastingRefusal(details ?? '')
}

/** Since when a job is refused; undefined where it waited for long since it last was, of which nobody knows whether it would have been. */
function refusedInARow({ refusedSince, refusedAt }: SplitJob, now: Date): string | undefined {
  const isInARow = refusedAt !== undefined && now.getTime() - new Date(refusedAt).getTime() < APART_MS
  return isInARow ? refusedSince : undefined
}

/** The address that the payment is paid at; undefined where it is paid otherwise. */
async function addressOf({ addresses }: SettleSplitDeps, payment: Payment): Promise<PaymentAddress | undefined> {
  if (!isByAddress(payment)) return undefined
  const [all = []] = await addresses.ofPayments(payment.tenantId, [payment.id])
  return all.find(({ chainName }) => chainName === payment.chainName)
}

/** Does one step, and says when to look again, in milliseconds; undefined when all is done. */
async function nextStep(
  deps: SettleSplitDeps,
  payment: Payment,
): Promise<{ kind: SplitProgress['kind']; delayMs: number | undefined }> {
  const address = await addressOf(deps, payment)
  // What lay there unread was shared out too, and nodes that are behind show it instead of what came since.
  const settled = await deps.settleStep(payment, address && address.shared + address.laidBefore)
  const { kind } = settled
  if (kind === 'stepped') return { kind, delayMs: STEP_MS }
  if (kind === 'waiting') return { kind, delayMs: backoffByAge(payment.updatedAt, deps.clock.now(), WAIT_BACKOFF) }
  await deps.payments.change(payment.tenantId, payment.id, async (locked, em) => {
    if (locked.tidHash !== payment.tidHash) return undefined
    if (address) await bookDeposits(deps, em, locked, { address, distributed: settled.distributed })
    if (locked.status !== 'pending') return undefined
    if (!address) await bookWalletPayment(deps, em, locked)
    return succeeded(payment.tidHash ?? '')
  })
  return { kind, delayMs: undefined }
}
