import { AppError } from '../../../kernel/errors.js'
import type { PaymentsDeps } from '../deps.js'
import type { OnChain, PayerOutcome } from '../rails/crypto/on-chain.js'
import type { Payment } from '../store/payment.entity.js'
import type { Relay } from '../store/relays.js'
import type { ExecutedPayment } from './execute-on-chain.js'
import { followRouteJob, settleSplitJob } from './payment-jobs.js'

/** How long a request waits for its transaction; the job goes on after it. */
const WAIT_MS = 30_000
const POLL_MS = 100

/**
 * Waits until a relayed transaction is final and the payment says so.
 * @throws payment_failed where it was reverted, broadcast_confirmation_timeout where it takes too long,
 *   confirm_rpc_unavailable where the chain cannot be asked at all
 */
export async function awaitConfirmation(deps: PaymentsDeps, onChain: OnChain, relay: Relay): Promise<ExecutedPayment> {
  const deadline = performance.now() + WAIT_MS
  while (performance.now() < deadline) {
    const settled = await confirmOnce(deps, onChain, relay)
    if (settled !== undefined) return { id: relay.paymentId, tidHash: relay.hash, settled }
    await deps.delay(POLL_MS)
  }
  throw new AppError('broadcast_confirmation_timeout', { details: relay.hash })
}

/**
 * Looks once at a relayed transaction and moves its payment on.
 * @returns whether the receivers have their money; undefined while the transaction is not final
 * @throws payment_failed, confirm_rpc_unavailable
 */
export async function confirmOnce(deps: PaymentsDeps, onChain: OnChain, relay: Relay): Promise<boolean | undefined> {
  const payment = await deps.payments.find(relay.tenantId, relay.paymentId)
  // A refused transaction is taken back: whoever waits for it is told by the one who sent it, or asks again.
  if (payment?.signedTransaction !== relay.raw) throw new AppError('invalid_payment_status')
  if (payment.status === 'success') return true
  if (payment.status === 'error') throw new AppError('payment_failed', failureDetails(payment))
  if (relay.state === 'final') return false
  const ageMs = deps.clock.now().getTime() - relay.createdAt.getTime()
  const outcome = await onChain.look(payment, relay.hash, ageMs)
  if (outcome.kind === 'unknown' || outcome.kind === 'waiting') return undefined
  return finish(deps, onChain, relay, outcome)
}

/** Writes the end of the payer's transaction down; what is left to settle is a job from here on. */
async function finish(
  deps: PaymentsDeps,
  onChain: OnChain,
  relay: Relay,
  outcome: Extract<PayerOutcome, { kind: 'paid' | 'failed' }>,
): Promise<boolean> {
  const settlement = await settle(deps, onChain, relay, outcome)
  await deps.relays.mark(relay, 'final')
  if (outcome.kind === 'failed') throw new AppError('payment_failed', { details: outcome.message })
  return settlement
}

async function settle(
  deps: PaymentsDeps,
  onChain: OnChain,
  relay: Relay,
  outcome: Extract<PayerOutcome, { kind: 'paid' | 'failed' }>,
): Promise<boolean> {
  let settled = false
  await deps.payments.change(relay.tenantId, relay.paymentId, async (payment, em) => {
    settled = payment.status === 'success'
    if (payment.status !== 'pending' || payment.signedTransaction !== relay.raw) return undefined
    if (outcome.kind === 'failed') return failed(outcome)
    const { kind } = onChain.settlementOf(payment)
    if (kind !== 'done') {
      if (payment.tidHash === relay.hash) return undefined
      await deps.addJob(em, kind === 'split' ? settleSplitJob(relay) : followRouteJob(relay))
      return {
        change: {
          tidHash: relay.hash,
          globalPaymentData: { message: 'The payer has paid; the receivers are being paid.' },
        },
        cause: 'payer_paid',
        notify: false,
      }
    }
    settled = true
    return succeeded(relay.hash)
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
  const dataError = { code, status: 'error', message, details: null }
  return { change: { status: 'error' as const, dataError, globalPaymentData: { message } }, cause: code, notify: true }
}

function failureDetails({ dataError }: Payment): { details?: string } {
  return dataError ? { details: dataError.message } : {}
}
