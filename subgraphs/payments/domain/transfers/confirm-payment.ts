import { AppError } from '../../../../kernel/errors.js'
import type { EnabledChains } from '../../model/chain-access.js'
import { paymentFailure, type ErrorReason } from '../../model/payment-failure.js'
import type { Runtime } from '../../model/runtime.js'
import type { LockQuoteDeps } from '../../prices/lock-quote.js'
import type { OnChain, PayerTransactionStatus } from '../../rails/on-chain.js'
import type { Broadcast } from '../../store/broadcasts.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Transaction } from '../../../../kernel/database.js'
import type { Stores } from '../../store/stores.js'
import { bookWalletPayment, type BookWalletPaymentDeps } from './book-wallet-payment.js'
import { followRouteJob, settleSplitJob, watchDroppedJob } from './transfer-jobs.js'

/** What confirming a broadcast needs. */
export type ConfirmPaymentDeps = EnabledChains &
  BookWalletPaymentDeps &
  Pick<LockQuoteDeps, 'quoteLifeMs'> &
  Pick<Runtime, 'clock'> &
  Pick<Stores, 'addJob' | 'broadcasts' | 'payments'>

/** What a payer's signed transaction led to. */
export interface ExecutedPayment {
  id: string
  tidHash: string
  /** Whether the receivers have their money; otherwise blocks are waited for, or a split or a bridge is still to finish. */
  settled: boolean
}

/** Between two looks at what the job may have written down. */
const RECHECK_MS = 1_000

/**
 * Waits until a broadcast transaction is final and the payment says so, together with all others that wait for its chain.
 * Where that takes longer than a client waits, and the chain has the transaction, the job completes the payment.
 * @param mayWait whether the request still waits, see `waitDeadline`
 * @throws payment_failed where it was reverted, broadcast_confirmation_timeout where no node has said that it took the
 *   transaction, confirm_rpc_unavailable where the chain cannot be asked at all
 */
export async function awaitConfirmation(
  deps: ConfirmPaymentDeps,
  onChain: OnChain,
  broadcast: Broadcast,
  mayWait: () => boolean,
): Promise<ExecutedPayment> {
  const watched = onChain.watch(broadcast)
  try {
    let settled = await confirmOnce(deps, onChain, broadcast)
    while (settled === undefined && mayWait()) {
      const isMined = await watched.next(RECHECK_MS)
      settled = isMined ? await confirmOnce(deps, onChain, broadcast) : await completedByJob(deps, broadcast)
    }
    const { hash, done } = settled ?? (await received(deps, broadcast))
    return { id: broadcast.paymentId, tidHash: hash, settled: done }
  } finally {
    watched.stop()
  }
}

/** What another process has written down meanwhile: by its job, a payment may end under another hash too. */
async function completedByJob(deps: ConfirmPaymentDeps, broadcast: Broadcast): Promise<ConfirmedBroadcast | undefined> {
  const payment = await presentPayment(deps, broadcast)
  // Only a payer's transaction that has paid gives the payment its hash.
  return outcomeOf(payment, broadcast) ?? (payment.tidHash ? { done: false, hash: payment.tidHash } : undefined)
}

/** A transaction that a node took is on its way. Of one that no node is known to have, nothing can be promised. */
async function received(deps: ConfirmPaymentDeps, broadcast: Broadcast): Promise<ConfirmedBroadcast> {
  const present = await deps.broadcasts.find(broadcast.tenantId, broadcast.paymentId, broadcast.hash)
  if (present && present.state !== 'stored') return { done: false, hash: broadcast.hash }
  throw new AppError('broadcast_confirmation_timeout', { details: broadcast.hash })
}

/** Looks where a payer's transaction is, see `OnChain.retrieve`. */
export type RetrieveBroadcast = (payment: Payment, ageMs: number) => Promise<PayerTransactionStatus>

/**
 * Looks once at a broadcast transaction and moves its payment on.
 * @param retrieve how to look; left out, nodes are asked about this one alone, unless a watch has shown its end
 * @returns undefined while the transaction is not final
 * @throws payment_failed, confirm_rpc_unavailable
 */
export async function confirmOnce(
  deps: ConfirmPaymentDeps,
  onChain: OnChain,
  broadcast: Broadcast,
  retrieve: RetrieveBroadcast = (payment, ageMs) => onChain.retrieve(payment, broadcast, ageMs),
): Promise<ConfirmedBroadcast | undefined> {
  const payment = await presentPayment(deps, broadcast)
  const known = outcomeOf(payment, broadcast)
  if (known) {
    // An older release wrote it down before it marked the transaction, and may have died between.
    if (broadcast.state !== 'final')
      await settle(deps, onChain, { broadcast, hash: known.hash }, { kind: 'paid', hash: known.hash })
    return known
  }
  const ageMs = deps.clock.now().getTime() - broadcast.createdAt.getTime()
  const seen = await retrieve(payment, ageMs)
  const outcome = seen.kind === 'unknown' && isDropped(deps, ageMs) ? FORGOTTEN : seen
  if (outcome.kind === 'unknown' || outcome.kind === 'waiting') return undefined
  return finish(deps, onChain, broadcast, outcome)
}

/** The payment as it is now. @throws invalid_payment_status where it waits for another transaction */
async function presentPayment({ payments }: ConfirmPaymentDeps, broadcast: Broadcast): Promise<Payment> {
  const payment = await payments.find(broadcast.tenantId, broadcast.paymentId)
  // A refused transaction is taken back: a caller who waits for it is told by the request that sent it, or asks again.
  if (payment?.signedTransaction !== broadcast.raw) throw new AppError('invalid_payment_status')
  return payment
}

/** What is written down of a transaction's end. @throws payment_failed */
function outcomeOf(payment: Payment, broadcast: Broadcast): ConfirmedBroadcast | undefined {
  const hash = payment.tidHash ?? broadcast.hash
  if (payment.status === 'success') return { done: true, hash }
  if (payment.status === 'error') throw new AppError('payment_failed', failureDetails(payment))
  return broadcast.state === 'final' ? { done: false, hash } : undefined
}

/** A payer's transaction that is final: whether the receivers have their money, and the hash under which it was paid. */
interface ConfirmedBroadcast {
  done: boolean
  hash: string
}

/** How long after its quote a transaction is still sent again that no node knows. */
const GIVE_UP_AFTER_QUOTE_MS = 600_000

const DROPPED = 'transaction_dropped'

const FORGOTTEN = {
  kind: 'failed',
  code: DROPPED,
  message: 'No block took the transaction before its quote expired, and the chain does not know it any more.',
} as const

/**
 * Whether a transaction that the chain does not know is not waited for any more, e.g. because its wallet signed with a
 * nonce too high or with too little gas.
 * @param ageMs since it was broadcast, which was before its quote expired
 */
export function isDropped({ quoteLifeMs }: Pick<LockQuoteDeps, 'quoteLifeMs'>, ageMs: number): boolean {
  return ageMs > quoteLifeMs + GIVE_UP_AFTER_QUOTE_MS
}

/** Two payments of one wallet may have been built as the same call: one transaction pays one of them. */
const ANOTHERS = {
  kind: 'failed',
  code: 'transfer_mismatch',
  message: "What took the transaction's place pays another payment.",
} as const

type Ended = Extract<PayerTransactionStatus, { kind: 'paid' | 'failed' }>

/** Writes the end of the payer's transaction down; what is left to settle is a job from here on. */
async function finish(
  deps: ConfirmPaymentDeps,
  onChain: OnChain,
  broadcast: Broadcast,
  seen: Ended,
): Promise<ConfirmedBroadcast> {
  const outcome = seen.kind === 'paid' && (await isAnothers(deps, broadcast, seen.hash)) ? ANOTHERS : seen
  const hash = outcome.kind === 'paid' ? outcome.hash : broadcast.hash
  const done = await settle(deps, onChain, { broadcast, hash }, outcome)
  if (outcome.kind === 'failed') throw new AppError('payment_failed', { details: outcome.message })
  return { done, hash }
}

/** Whether what has paid, under another hash than the one that was handed in, is another payment's. */
export async function isAnothers(
  { broadcasts }: Pick<Stores, 'broadcasts'>,
  broadcast: Broadcast,
  hash: string,
): Promise<boolean> {
  return hash !== broadcast.hash && broadcasts.isAnothers({ ...broadcast, hash })
}

/** A block of an EVM chain may be dropped still: until it is final, what it paid is looked at again. */
function markFinal(
  { broadcasts, clock, settings }: ConfirmPaymentDeps,
  em: Transaction,
  broadcast: Broadcast,
  kind: PayerTransactionStatus['kind'],
): Promise<void> {
  const isFollowed = kind === 'paid' && isOnEvm(settings, broadcast)
  return broadcasts.markFinal(em, broadcast, isFollowed ? clock.now() : null)
}

function isOnEvm({ chains }: ConfirmPaymentDeps['settings'], { chainName }: Broadcast): boolean {
  return chains.find(({ name }) => name === chainName)?.family === 'evm'
}

/**
 * Whether a block may pay by it after all: one that is dropped, whatever nodes say now; and one that has failed in a block, in another one, as an
 * EVM chain may drop that block still.
 */
function maySucceed({ settings }: ConfirmPaymentDeps, broadcast: Broadcast, code: ErrorReason): boolean {
  const failedInBlock = code === 'transaction_reverted' || code === 'transfer_mismatch'
  return code === DROPPED || (failedInBlock && isOnEvm(settings, broadcast))
}

async function settle(
  deps: ConfirmPaymentDeps,
  onChain: OnChain,
  { broadcast, hash }: { broadcast: Broadcast; hash: string },
  outcome: Ended,
): Promise<boolean> {
  let settled = false
  await deps.payments.change(broadcast.tenantId, broadcast.paymentId, async (payment, em) => {
    settled = payment.status === 'success'
    await markFinal(deps, em, broadcast, outcome.kind)
    if (payment.status !== 'pending' || payment.signedTransaction !== broadcast.raw) return undefined
    if (outcome.kind === 'failed') {
      if (maySucceed(deps, broadcast, outcome.code)) await deps.addJob(em, watchDroppedJob(broadcast, deps.clock.now()))
      return failed(outcome)
    }
    if (hash !== broadcast.hash) await deps.broadcasts.claim(em, broadcast, hash)
    const { kind } = onChain.settlementOf(payment)
    if (kind !== 'done') {
      if (payment.tidHash === hash) return undefined
      const paid = { tenantId: broadcast.tenantId, paymentId: broadcast.paymentId, hash }
      await deps.addJob(em, kind === 'split' ? settleSplitJob(paid) : followRouteJob(paid))
      return {
        change: {
          tidHash: hash,
          globalPaymentData: { message: 'The payer has paid; the receivers are being paid.' },
        },
        cause: 'payer_paid',
        notify: false,
      }
    }
    settled = true
    await bookWalletPayment(deps, em, payment)
    return succeeded(hash)
  })
  return settled
}

/** The change by which a payment succeeds. */
export function succeeded(tidHash: string) {
  return {
    change: { status: 'success' as const, tidHash, globalPaymentData: { message: 'The receivers have been paid.' } },
    cause: 'receivers_paid' as const,
    notify: true,
  }
}

function failed({ code, message }: { code: ErrorReason; message: string }) {
  const dataError = paymentFailure(code, message)
  return { change: { status: 'error' as const, dataError, globalPaymentData: { message } }, cause: code, notify: true }
}

function failureDetails({ dataError }: Payment): { details?: string } {
  return dataError ? { details: dataError.message } : {}
}
