import { waitDeadline } from '../../../../kernel/deadline.js'
import { AppError } from '../../../../kernel/errors.js'
import { idempotentlyAnswered } from '../../../../kernel/idempotency.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import type { Runtime } from '../../model/runtime.js'
import type { Broadcast } from '../../store/broadcasts.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Quote } from '../../store/quotes.js'
import type { Stores } from '../../store/stores.js'
import { findPayment } from '../find-payment.js'
import { awaitConfirmation, isAnothers, type ConfirmPaymentDeps, type ExecutedPayment } from './confirm-payment.js'
import { awaitSent, lookForSent, type FindSentDeps, type SentTransaction } from './find-sent.js'
import { judgeUnsent, type JudgeUnsentDeps } from './judge-unsent.js'
import { makeWay, type MakeWayDeps } from './make-way.js'
import { ensureSent, type SendBroadcastDeps } from './send-broadcast.js'
import { findSignedVersion, type SignedVersion, type SignedVersionDeps } from './signed-version.js'
import { confirmJob } from './transfer-jobs.js'

/** What taking a payer's signed transaction needs. */
export type ExecuteOnChainDeps = ConfirmPaymentDeps &
  FindSentDeps &
  JudgeUnsentDeps &
  MakeWayDeps &
  SendBroadcastDeps &
  SignedVersionDeps &
  Pick<Runtime, 'isStopping'> &
  Pick<Stores, 'quotes'>

/** How long a request waits for its transaction; jobs continue after it. Many clients give up at 30 s. */
const WAIT_MS = 20_000

export interface ExecuteOnChainInput {
  paymentId: string
  /** EVM: 0x-hex of the signed transaction; Solana: base64 wire. */
  signedTransaction?: string | null
  /** In its place: the hash, or on Solana the signature, of what the wallet has sent by itself. */
  txHash?: string | null
}

/**
 * Broadcasts a payer's signed transaction, or takes up the one that his wallet has sent by itself, and waits until it is final. It is written down before it is sent, and a job resumes
 * what a process leaves behind that dies on the way; the same bytes again get the same answer and are sent once.
 * @throws invalid_parameters, invalid_chain, invalid_signed_transaction, stale_transaction_nonce, payment_not_found,
 *   missing_unsigned_transaction, invalid_payment_status, payment_failed, broadcast_*, confirm_*, solana_blockhash_expired,
 *   idempotency_*
 */
export async function executeOnChain(
  deps: ExecuteOnChainDeps,
  tenant: Tenant,
  input: ExecuteOnChainInput,
): Promise<ExecutedPayment> {
  const { signedTransaction, txHash } = input
  if (!signedTransaction && !txHash) throw badInput('is required, or tx_hash in its place')
  if (signedTransaction && txHash) throw badInput('must be left out where tx_hash is sent')
  return idempotentlyAnswered(deps, tenant, () => broadcastAndWait(deps, tenant, input))
}

function badInput(problem: string): AppError {
  const message = `signed_transaction ${problem}.`
  return new AppError('invalid_parameters', { message, errors: [{ field: 'signedTransaction', message: problem }] })
}

async function broadcastAndWait(
  deps: ExecuteOnChainDeps,
  tenant: Tenant,
  input: ExecuteOnChainInput,
): Promise<ExecutedPayment> {
  // One for finding the transaction and for confirming it: a client waits for both.
  const mayWait = waitDeadline(WAIT_MS, deps.isStopping)
  const found = await findPayment(deps, tenant, { id: input.paymentId })
  const { signedTransaction } = input
  const sent = signedTransaction ? undefined : await awaitSent(deps, found, input.txHash ?? '', mayWait)
  const raw = sent?.raw ?? signedTransaction ?? ''
  const payment = await makeWay(deps, found, raw)
  if (!payment) return lookLater(deps, found, sent)
  const version = await findSignedVersion(deps, payment, raw)
  const paid = paidBy(payment, version.hash)
  if (paid) return paid
  const broadcast = await storeBroadcast(deps, payment, version, sent ? 'node' : 'payer').catch(
    async (error: unknown) => {
      if (!(error instanceof AppError)) throw error
      const paidMeanwhile = paidBy(await findPayment(deps, tenant, { id: payment.id }), version.hash)
      if (paidMeanwhile) return paidMeanwhile
      throw error
    },
  )
  if ('tidHash' in broadcast) return broadcast
  await ensureSent(deps, version.onChain, broadcast)
  return awaitConfirmation(deps, version.onChain, broadcast, mayWait)
}

/** The answer where a transaction has paid that nobody has handed in: at the address of the payment's split it is counted by whoever watches there. */
function paidBy({ id, status, tidHash, signedTransaction }: Payment, hash: string): ExecutedPayment | undefined {
  const isPaid = tidHash === hash && !signedTransaction && (status === 'pending' || status === 'success')
  return isPaid ? { id, tidHash: hash, settled: status === 'success' } : undefined
}

/** While a charge waits for its payer, what his wallet has sent counts once a block has it, which a job then finds. */
async function lookLater(
  deps: ExecuteOnChainDeps,
  payment: Payment,
  sent: SentTransaction | undefined,
): Promise<never> {
  if (sent) await lookForSent(deps, payment, sent.hash)
  const message = 'No block has the transaction yet, and another way to pay was chosen meanwhile.'
  throw new AppError(sent ? 'broadcast_confirmation_timeout' : 'invalid_payment_status', { message })
}

/**
 * Writes the signed transaction down, with the job that continues should this process die. Once per payment and hash; one
 * that was dropped counts again once a block has it, and one that was refused and given back where the payment still takes it.
 * @param from who has shown its bytes: what a node has taken is not ours to refuse, whatever another node knows
 * @throws invalid_payment_status, invalid_signed_transaction, confirm_rpc_unavailable
 */
export async function storeBroadcast(
  deps: ExecuteOnChainDeps,
  payment: Payment,
  version: SignedVersion,
  from: 'payer' | 'node',
): Promise<Broadcast> {
  const { tenantId, id: paymentId } = payment
  const { hash, raw, chainName, quoteId, change: then } = version
  const known = await deps.broadcasts.find(tenantId, paymentId, hash)
  if (known && !isDropped(payment, raw)) return known
  // Read before the transaction: in it, a second connection could be one that everybody waits for.
  const quote = quoteId ? await deps.quotes.find(tenantId, quoteId) : undefined
  const now = deps.clock.now()
  const isLate = !quote || quote.expiresAt <= now || payment.status !== 'pending' || payment.quoteId !== quoteId
  const foundAt = known || isLate ? await version.onChain.minedAt(chainName, version) : undefined
  if (known && !foundAt && !isGivenBack(payment, known)) return known
  if (known && foundAt && (await hasMissed(deps, payment, version, known))) return known
  const payer = ({ ...payment, ...then }.payerWallet ?? '').toLowerCase()
  const isUnsent = !foundAt && from === 'payer'
  const minedAt = isUnsent ? await judgeUnsent(deps, payment, { version, payer }) : foundAt
  const state = minedAt ? 'sent' : 'stored'
  const broadcast: Broadcast = {
    tenantId,
    paymentId,
    hash,
    chainName,
    raw,
    payer,
    state,
    mayBeSent: known?.mayBeSent ?? false,
    createdAt: now,
    checkAt: null,
    missingSince: null,
    refusedSince: null,
  }
  await deps.payments.change(tenantId, paymentId, async (locked, em) => {
    // Another request with the same bytes was faster: its broadcast counts.
    if (locked.signedTransaction === raw && locked.status !== 'error') return undefined
    assertWaiting(locked, payment, minedAt)
    if (!known && (await deps.broadcasts.isTaken(em, broadcast)))
      throw new AppError('invalid_signed_transaction', { details: TAKEN })
    // What was accepted before and is mined was in time; the rest is judged by its block, where it is in one.
    if (!known || !minedAt) assertQuoteHolds(quote, minedAt ?? now)
    if (known) await deps.broadcasts.remove(em, known)
    deps.broadcasts.add(em, broadcast)
    await deps.addJob(em, confirmJob(broadcast, now))
    const change = { ...then, status: 'pending' as const, dataError: null, signedTransaction: raw }
    return { change, cause: 'transaction_signed', notify: locked.status !== 'pending' }
  })
  return broadcast
}

const TAKEN = 'it pays another payment'

/** Failures after which a block may have it still: that in which it was reverted, or moved something else, may be dropped by its chain. */
const NOT_FOR_GOOD = ['transaction_dropped', 'transaction_reverted', 'transfer_mismatch']

/** Whether a transaction that was broadcast is no longer waited for, though a block may take it still. */
function isDropped({ signedTransaction, status, dataError }: Payment, raw: string): boolean {
  return signedTransaction !== raw || (status === 'error' && NOT_FOR_GOOD.includes(dataError?.code ?? ''))
}

/** Whether the block that has a transaction shows by it something else than was asked for, or what pays another payment. */
async function hasMissed(
  deps: ExecuteOnChainDeps,
  payment: Payment,
  { onChain, change, raw }: SignedVersion,
  known: Broadcast,
): Promise<boolean> {
  const then: Payment = { ...payment, ...change, signedTransaction: raw }
  const fate = await onChain.retrieve(then, known, 0)
  return fate.kind === 'failed' || (fate.kind === 'paid' && (await isAnothers(deps, known, fate.hash)))
}

/** Whether a node's refusal has given it back to its payer, who may hand it in again: what a node knew may have changed. */
function isGivenBack({ signedTransaction }: Payment, { raw, state }: Broadcast): boolean {
  return signedTransaction !== raw && state !== 'final'
}

/**
 * Only the transaction that the payment waits for now may be signed: not one that was replaced, nor a second one. What is
 * in a block counts besides, as long as nothing else pays the payment.
 */
function assertWaiting(locked: Payment, read: Payment, minedAt: Date | undefined): void {
  const isOver = locked.status === 'error' && minedAt !== undefined
  // What has come to its address pays it, and is being shared out.
  const isPaid = Boolean(locked.signedTransaction ?? locked.tidHash)
  const isWaiting = locked.status === 'pending' && locked.transactionType === 'crypto' && !isPaid
  if (!(isWaiting || isOver) || locked.sequence !== read.sequence) throw new AppError('invalid_payment_status')
}

function assertQuoteHolds(quote: Quote | undefined, at: Date): void {
  if (quote && quote.expiresAt > at) return
  throw new AppError('invalid_payment_status', {
    message: 'The quote of this transaction has expired; create the transaction again.',
  })
}
