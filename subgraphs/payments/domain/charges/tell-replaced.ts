import type { PaymentCause } from '../../model/payment-cause.js'
import { isReturnReason } from '../../model/refund-rules.js'
import { chargeSummary, returnsOf } from '../../settlement/charge-summary.js'
import type { RecordedChange } from '../../store/payment-changes.js'
import type { ChargeUpdate } from './application.js'

/** What happens to a replaced charge itself: that is in its own row. */
const OF_CHARGE: readonly PaymentCause[] = ['charge_changed', 'provider_fee']

/**
 * Tells of money that came for a charge which another attempt of its payment has replaced, and of its way back: the payment stays as it
 * is, and its tenant and its payer see that the money returns.
 * @returns undefined where no money has moved
 */
export async function tellReplaced({
  deps,
  em,
  payment,
  record,
  causes,
}: ChargeUpdate): Promise<RecordedChange | undefined> {
  const moved = causes.filter((cause) => !OF_CHARGE.includes(cause))
  const came = moved.find(isReturnReason)
  const cause = came ?? moved.at(-1)
  if (cause === undefined) return undefined
  const { tenantId, chargeId } = payment
  const globalPaymentData = chargeId
    ? chargeSummary(await deps.charges.load(em, { tenantId, id: chargeId }), await deps.payouts.lockAll(em, payment))
    : { ...(payment.globalPaymentData as object | null), returns: returnsOf(record) }
  return { change: { globalPaymentData }, cause, notify: came !== undefined }
}
