import { AppError } from '../../../kernel/errors.js'
import { waitDeadline } from '../../../kernel/deadline.js'
import type { PaymentsDeps } from '../deps.js'
import type { OnChain, PayerOutcome } from '../rails/crypto/on-chain.js'
import type { Payment } from '../store/payment.entity.js'
import type { Relay } from '../store/relays.js'
import type { ExecutedPayment } from './execute-on-chain.js'
import { paymentFailure } from './payment-failure.js'
import { followRouteJob, settleSplitJob, watchGivenUpJob } from './payment-jobs.js'

/** How long a request waits for its transaction; the job goes on after it. */
const WAIT_MS = 30_000
const POLL_MS = 100

/**
 * Waits until a relayed transaction is final and the payment says so.
 * @throws payment_failed where it was reverted, broadcast_confirmation_timeout where it takes too long,
 *   confirm_rpc_unavailable where the chain cannot be asked at all
 */
export async function awaitConfirmation(deps: PaymentsDeps, onChain: OnChain, relay: Relay): Promise<ExecutedPayment> {
  const mayWait = waitDeadline(WAIT_MS, deps.isStopping)
  while (mayWait()) {
    const settled = await confirmOnce(deps, onChain, relay)
    if (settled !== undefined) return { id: relay.paymentId, tidHash: settled.hash, settled: settled.done }
    await deps.delay(POLL_MS)
  }
  throw new AppError('broadcast_confirmation_timeout', { details: relay.hash })
}

/**
 * Looks once at a relayed transaction and moves its payment on.
 * @returns undefined while the transaction is not final
 * @throws payment_failed, confirm_rpc_unavailable
 */
export async function confirmOnce(
  deps: PaymentsDeps,
  onChain: OnChain,
  relay: Relay,
): Promise<ConfirmedRelay | undefined> {
  const payment = await deps.payments.find(relay.tenantId, relay.paymentId)
  // A refused transaction is taken back: whoever waits for it is told by the one who sent it, or asks again.
  if (payment?.signedTransaction !== relay.raw) throw new AppError('invalid_payment_status')
  const hash = payment.tidHash ?? relay.hash
  if (payment.status === 'success') return { done: true, hash }
  if (payment.status === 'error') throw new AppError('payment_failed', failureDetails(payment))
  if (relay.state === 'final') return { done: false, hash }
  const ageMs = deps.clock.now().getTime() - relay.createdAt.getTime()
  const seen = await onChain.look(payment, relay.hash, ageMs)
  const outcome = seen.kind === 'unknown' && isGivenUp(deps, ageMs) ? FORGOTTEN : seen
  if (outcome.kind === 'unknown' || outcome.kind === 'waiting') return undefined
  return finish(deps, onChain, relay, outcome)
}

/** A payer's transaction that is final: whether the receivers have their money, and the hash under which it was paid. */
interface ConfirmedRelay {
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
 * @param ageMs since it was relayed, which was before its quote expired
 */
export function isGivenUp({ quoteLifeMs }: Pick<PaymentsDeps, 'quoteLifeMs'>, ageMs: number): boolean {
  return ageMs > quoteLifeMs + GIVE_UP_AFTER_QUOTE_MS
}

/** Writes the end of the payer's transaction down; what is left to settle is a job from here on. */
async function finish(
  deps: PaymentsDeps,
  onChain: OnChain,
  relay: Relay,
  outcome: Extract<PayerOutcome, { kind: 'paid' | 'failed' }>,
): Promise<ConfirmedRelay> {
  const hash = outcome.kind === 'paid' ? outcome.hash : relay.hash
  const done = await settle(deps, onChain, { relay, hash }, outcome)
  await deps.relays.mark(relay, 'final', isFollowed(deps, relay, outcome) ? deps.clock.now() : undefined)
  if (outcome.kind === 'failed') throw new AppError('payment_failed', { details: outcome.message })
  return { done, hash }
}

/** A block of an EVM chain may be dropped still: until it is final, what it paid is looked at again. */
function isFollowed({ settings }: PaymentsDeps, { chainName }: Relay, { kind }: PayerOutcome): boolean {
  return kind === 'paid' && settings.chains.find(({ name }) => name === chainName)?.family === 'evm'
}

async function settle(
  deps: PaymentsDeps,
  onChain: OnChain,
  { relay, hash }: { relay: Relay; hash: string },
  outcome: Extract<PayerOutcome, { kind: 'paid' | 'failed' }>,
): Promise<boolean> {
  let settled = false
  await deps.payments.change(relay.tenantId, relay.paymentId, async (payment, em) => {
    settled = payment.status === 'success'
    if (payment.status !== 'pending' || payment.signedTransaction !== relay.raw) return undefined
    if (outcome.kind === 'failed') {
      // Whatever nodes say now, a block may turn out to have it.
      if (outcome.code === DROPPED) await deps.addJob(em, watchGivenUpJob(relay, deps.clock.now()))
      return failed(outcome)
    }
    const { kind } = onChain.settlementOf(payment)
    if (kind !== 'done') {
      if (payment.tidHash === hash) return undefined
      const paid = { tenantId: relay.tenantId, paymentId: relay.paymentId, hash }
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
    return succeeded(hash)
  })
  return settled
}

/** The change by which a payment succeeds. */
export function succeeded(tidHash: string) {
  return {
    change: { status: 'success' as const, tidHash, globalPaymentData: { message: 'The receivers have been paid.' } },
    cause: 'receivers_paid',
    notify: true,
  }
}

function failed({ code, message }: { code: string; message: string }) {
  const dataError = paymentFailure(code, message)
  return { change: { status: 'error' as const, dataError, globalPaymentData: { message } }, cause: code, notify: true }
}

function failureDetails({ dataError }: Payment): { details?: string } {
  return dataError ? { details: dataError.message } : {}
}
