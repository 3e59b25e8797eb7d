import { AppError } from '../../../kernel/errors.js'
import { idempotentlyAnswered } from '../../../kernel/idempotency.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { PaymentsDeps } from '../deps.js'
import type { Payment } from '../store/payment.entity.js'
import type { Quote } from '../store/quotes.js'
import type { Relay } from '../store/relays.js'
import { awaitConfirmation } from './confirm-payment.js'
import { confirmJob } from './payment-jobs.js'
import { findPayment } from './find-payment.js'
import { ensureSent } from './relay-transaction.js'
import { findSignedVersion, type SignedVersion } from './signed-version.js'

export interface ExecuteOnChainInput {
  paymentId: string
  /** EVM: 0x-hex of the signed transaction; Solana: base64 wire. */
  signedTransaction: string
}

/** What a payer's signed transaction led to. */
export interface ExecutedPayment {
  id: string
  tidHash: string
  /** Whether the receivers have their money; otherwise a split or a bridge is still to finish. */
  settled: boolean
}

/**
 * Relays a payer's signed transaction and waits until it is final. It is written down before it is sent, and whoever dies
 * on the way is taken over by a job; the same bytes again get the same answer and are sent once.
 * @throws invalid_parameters, invalid_chain, invalid_signed_transaction, stale_transaction_nonce, payment_not_found,
 *   missing_unsigned_transaction, invalid_payment_status, payment_failed, broadcast_*, confirm_*, solana_blockhash_expired,
 *   idempotency_*
 */
export async function executeOnChain(
  deps: PaymentsDeps,
  tenant: Tenant,
  input: ExecuteOnChainInput,
): Promise<ExecutedPayment> {
  if (input.signedTransaction === '')
    throw new AppError('invalid_parameters', { message: 'signed_transaction is required.' })
  return idempotentlyAnswered(deps, tenant, () => relayAndWait(deps, tenant, input))
}

async function relayAndWait(deps: PaymentsDeps, tenant: Tenant, input: ExecuteOnChainInput): Promise<ExecutedPayment> {
  const payment = await findPayment(deps, tenant, { id: input.paymentId })
  const version = await findSignedVersion(deps, payment, input.signedTransaction)
  const relay = await storeRelay(deps, payment, version)
  await ensureSent(deps, version.onChain, relay)
  return awaitConfirmation(deps, version.onChain, relay)
}

/**
 * Writes the signed transaction down, with the job that goes on should this process die. Once per payment and hash; one
 * that was given up counts again once a block has it.
 * @throws invalid_payment_status, invalid_signed_transaction, confirm_rpc_unavailable
 */
export async function storeRelay(deps: PaymentsDeps, payment: Payment, version: SignedVersion): Promise<Relay> {
  const { tenantId, id: paymentId } = payment
  const { hash, raw, chainName, quoteId, change: then } = version
  const known = await deps.relays.find(tenantId, paymentId, hash)
  if (known && !isGivenUp(payment, raw)) return known
  // Read before the transaction: in it, a second connection could be one that everybody waits for.
  const quote = quoteId ? await deps.quotes.find(tenantId, quoteId) : undefined
  const now = deps.clock.now()
  const isLate = !quote || quote.expiresAt <= now || payment.status !== 'pending' || payment.quoteId !== quoteId
  const minedAt = known || isLate ? await version.onChain.minedAt(chainName, version) : undefined
  if (known && !minedAt) return known
  if (!minedAt) await version.onChain.checkNonce(payment, version)
  const state = minedAt ? 'sent' : 'stored'
  const relay: Relay = { tenantId, paymentId, hash, chainName, raw, state, createdAt: now, checkAt: null }
  await deps.payments.change(tenantId, paymentId, async (locked, em) => {
    // Another request with the same bytes was faster: its relay counts.
    if (locked.signedTransaction === raw && locked.status !== 'error') return undefined
    assertWaiting(locked, payment, minedAt)
    if (known) await deps.relays.remove(em, known)
    else if (await deps.relays.isTaken(em, relay)) throw new AppError('invalid_signed_transaction', { details: TAKEN })
    // What was accepted before was in time; the rest is judged by its block, where it is in one.
    else assertQuoteHolds(quote, minedAt ?? now)
    deps.relays.add(em, relay)
    await deps.addJob(em, confirmJob(relay, now))
    const change = { ...then, status: 'pending' as const, dataError: null, signedTransaction: raw }
    return { change, cause: 'transaction_signed', notify: locked.status !== 'pending' }
  })
  return relay
}

const TAKEN = 'it pays another payment'

/** Whether a transaction that was relayed is no longer waited for, though a block may take it still. */
function isGivenUp({ signedTransaction, status, dataError }: Payment, raw: string): boolean {
  return signedTransaction !== raw || (status === 'error' && dataError?.code === 'transaction_dropped')
}

/**
 * Only the transaction that the payment waits for now may be signed: not one that was replaced, nor a second one. What is
 * in a block counts besides, as long as nothing else pays the payment.
 */
function assertWaiting(locked: Payment, read: Payment, minedAt: Date | undefined): void {
  const isOver = locked.status === 'error' && minedAt !== undefined
  const isWaiting = locked.status === 'pending' && !locked.signedTransaction
  if (!(isWaiting || isOver) || locked.sequence !== read.sequence) throw new AppError('invalid_payment_status')
}

function assertQuoteHolds(quote: Quote | undefined, at: Date): void {
  if (quote && quote.expiresAt > at) return
  throw new AppError('invalid_payment_status', {
    message: 'The quote of this transaction has expired; create the transaction again.',
  })
}
