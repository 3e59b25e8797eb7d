import type { PaymentsDeps } from '../deps.js'
import type { ChargeRail } from '../rails/rail.js'
import type { Charge } from '../store/charge.entity.js'
import type { PaymentFailure } from '../store/payment.entity.js'
import { paymentFailure } from './payment-failure.js'

/** A request that the provider has not shown after this will not have been made; what shows up later is given back. */
const UNMADE_AFTER_MS = 30_000

const NEVER_MADE = paymentFailure('provider_unavailable', 'The provider did not answer, and has no such charge.')

/** Ends an attempt that came to nothing for technical reasons; one that has ended otherwise stays as it is. */
export async function endCharge(deps: PaymentsDeps, charge: Charge, dataError: PaymentFailure): Promise<void> {
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
export async function endIfNeverMade(deps: PaymentsDeps, rail: ChargeRail, charge: Charge): Promise<void> {
  const ageMs = deps.clock.now().getTime() - charge.createdAt.getTime()
  if (rail.desk.chargesAtOnce && ageMs > UNMADE_AFTER_MS) await endCharge(deps, charge, NEVER_MADE)
}
