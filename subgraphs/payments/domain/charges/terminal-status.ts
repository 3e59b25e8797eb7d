import type { ChargeView } from '../../model/charge.js'
import type { PaymentCause } from '../../model/payment-cause.js'
import { paymentFailure, paymentRefusal, type ErrorReason } from '../../model/payment-failure.js'
import { CHARGE_EXPIRED } from '../../model/refund-rules.js'
import type { ChargeRecord } from '../../store/charge-records.js'
import type { Payment, PaymentChange } from '../../store/payment.entity.js'

/** A Pix that settled in the last moment is shown a moment later. */
export const EXPIRY_GRACE_MS = 10_000

/** How a charge ended that nobody paid. */
interface TerminalStatus {
  change: PaymentChange
  cause: PaymentCause
}

/**
 * Whether a charge that waits for its payer has ended: refused or removed by the provider, or expired, which providers
 * do not say and we compute.
 * @param isCurrent whether the payment waits for this charge
 */
export function terminalStatusOf(
  { payment, record, view, now }: { payment: Payment; record: ChargeRecord; view: ChargeView; now: Date },
  isCurrent: boolean,
): TerminalStatus | undefined {
  const { charge, receivedPayments } = record
  if (!isCurrent || payment.status !== 'pending' || charge.state !== 'open' || receivedPayments.length > 0)
    return undefined
  if (view.status === 'refused') {
    const dataError = view.refusal ? paymentRefusal(view.refusal) : null
    return { change: { status: 'reproved', dataError }, cause: 'charge_refused' }
  }
  if (view.status === 'failed') return error('provider_failed', 'The provider could not carry the charge out.')
  if (view.status === 'cancelled') return error('charge_cancelled', 'The charge was removed.')
  // What is paid by the provider's word and shows no money yet is waited for.
  if (view.status === 'open' && now.getTime() > charge.expiresAt.getTime() + EXPIRY_GRACE_MS) {
    return error(CHARGE_EXPIRED, 'The charge expired before it was paid.')
  }
  return undefined
}

function error(code: ErrorReason, message: string): TerminalStatus {
  return { change: { status: 'error', dataError: paymentFailure(code, message) }, cause: code }
}
