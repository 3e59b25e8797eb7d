import type { JobRequest } from '../../../kernel/jobs.js'
import type { Stores } from '../store/stores.js'
import { stopIfChargedBack } from './finish-batch.js'
import type { HandleChargebackDeps } from './handle-chargeback.js'

export const STOP_PAYOUTS = 'stop-payouts'

/** Of which payment payouts are to be stopped. */
export interface StopPayoutsJob {
  tenantId: string
  paymentId: string
}

/** What stopping payouts needs. */
export type StopPayoutsDeps = HandleChargebackDeps & Pick<Stores, 'charges' | 'payments'>

/** Stops what a payment's payer has taken back by force. */
export function stopPayoutsJob(payload: StopPayoutsJob): JobRequest {
  return { name: STOP_PAYOUTS, payload, key: `${STOP_PAYOUTS}:${payload.paymentId}` }
}

/**
 * The job that acts on payouts which an operator has let go of something else that held them, and of whose payer's money something was
 * taken back by force meanwhile. A second time it changes nothing; where it is lost they stay held, and the next release adds it again.
 */
export async function stopPayouts(deps: StopPayoutsDeps, { tenantId, paymentId }: StopPayoutsJob): Promise<void> {
  await deps.payments.change(tenantId, paymentId, async (payment, em) => {
    const accepted = await deps.charges.acceptedOf(em, payment)
    if (!accepted) return undefined
    const record = await deps.charges.load(em, { tenantId, id: accepted.chargeId })
    const payouts = await deps.payouts.lockAll(em, payment)
    return stopIfChargedBack(deps, { em, payment, payouts, record })
  })
}
