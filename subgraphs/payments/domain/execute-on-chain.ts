import { AppError } from '../../../kernel/errors.js'
import { idempotentlyAnswered } from '../../../kernel/idempotency.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { PaymentsDeps } from '../deps.js'
import type { OnChain } from '../rails/crypto/on-chain.js'
import type { Payment } from '../store/payment.entity.js'
import type { Quote } from '../store/quotes.js'
import type { Relay } from '../store/relays.js'
import { awaitConfirmation } from './confirm-payment.js'
import { confirmJob } from './payment-jobs.js'
import { findPayment } from './find-payment.js'
import { ensureSent } from './relay-transaction.js'

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
  const onChain = onChainOf(deps, payment)
  const { hash, raw } = await onChain.verifySigned(payment, input.signedTransaction)
  const relay = await storeRelay(deps, payment, { hash, raw })
  await ensureSent(deps, onChain, relay)
  return awaitConfirmation(deps, onChain, relay)
}

/** The chain that the payment's unsigned transaction is for. */
function onChainOf({ onChain }: PaymentsDeps, payment: Payment): OnChain {
  const { unsignedTransaction } = payment
  if (!unsignedTransaction) {
    const waiting = payment.status === 'registered' || payment.transactionType === 'crypto'
    throw new AppError(waiting ? 'missing_unsigned_transaction' : 'invalid_payment_status')
  }
  const family = onChain[unsignedTransaction.family]
  if (!family) throw new AppError('invalid_chain')
  return family
}

/** Writes the signed transaction down, with the job that goes on should this process die. Once per payment and hash. */
async function storeRelay(
  deps: PaymentsDeps,
  payment: Payment,
  { hash, raw }: { hash: string; raw: string },
): Promise<Relay> {
  const { tenantId, id: paymentId } = payment
  const known = await deps.relays.find(tenantId, paymentId, hash)
  if (known) return known
  // Read before the transaction: in it, a second connection could be one that everybody waits for.
  const quote = payment.quoteId ? await deps.quotes.find(tenantId, payment.quoteId) : undefined
  const chainName = payment.chainName ?? ''
  const relay: Relay = { tenantId, paymentId, hash, chainName, raw, state: 'stored', createdAt: deps.clock.now() }
  await deps.payments.change(tenantId, paymentId, async (locked, em) => {
    // Another request with the same bytes was faster: its relay counts.
    if (locked.signedTransaction === raw) return undefined
    assertWaiting(locked, payment)
    assertQuoteHolds(quote, deps.clock.now())
    deps.relays.add(em, relay)
    await deps.addJob(em, confirmJob(relay, deps.clock.now()))
    return { change: { signedTransaction: raw }, cause: 'transaction_signed', notify: false }
  })
  return relay
}

/** Only the transaction that the payment waits for now may be signed: not one that was replaced, nor a second one. */
function assertWaiting(locked: Payment, read: Payment): void {
  if (locked.status !== 'pending' || locked.signedTransaction || locked.sequence !== read.sequence) {
    throw new AppError('invalid_payment_status')
  }
}

function assertQuoteHolds(quote: Quote | undefined, now: Date): void {
  if (quote && quote.expiresAt > now) return
  throw new AppError('invalid_payment_status', {
    message: 'The quote of this transaction has expired; create the transaction again.',
  })
}
