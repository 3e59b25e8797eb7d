import { paymentFailure, type ErrorReason, type PaymentFailure } from '../../model/payment-failure.js'
import type { Runtime } from '../../model/runtime.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Charge } from '../../store/charge.entity.js'
import type { Stores } from '../../store/stores.js'

/** What failing a charge needs. */
export type FailChargeDeps = Pick<Runtime, 'clock'> & Pick<Stores, 'charges' | 'payments'>

/** A request that the provider has not shown after this will not have been made; what shows up later is given back. */
const UNMADE_AFTER_MS = 30_000

const NEVER_MADE = paymentFailure('provider_unavailable', 'The provider did not answer, and has no such charge.')

/** Ends an attempt that came to nothing for technical reasons; one that has ended otherwise stays as it is. */
export async function failCharge(
  deps: FailChargeDeps,
  charge: Charge,
  dataError: PaymentFailure & { code: ErrorReason },
): Promise<void> {
  const { tenantId, paymentId, id } = charge
  await deps.payments.change(tenantId, paymentId, async (payment, em) => {
    const { charge: present } = await deps.charges.load(em, charge)
    const isWaiting = present.state === 'open' && present.data === null
    if (!isWaiting || payment.chargeId !== id || payment.status !== 'pending') return undefined
    present.state = 'closed'
    return { change: { status: 'error', dataError }, cause: dataError.code, notify: true }
  })
}

/** Ends an attempt to charge at once that the provider, well after it was asked, knows nothing of. */
export async function failIfNeverMade(deps: FailChargeDeps, rail: ChargeRail, charge: Charge): Promise<void> {
  const ageMs = deps.clock.now().getTime() - charge.createdAt.getTime()
  if (rail.adapter.chargesImmediately && ageMs > UNMADE_AFTER_MS) await failCharge(deps, charge, NEVER_MADE)
}
