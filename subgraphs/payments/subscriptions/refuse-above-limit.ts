import { AppError } from '../../../kernel/errors.js'
import { assertWithinLimits, type LimitDeps } from '../domain/risk/assert-within-limits.js'
import { renewalRefused } from '../domain/risk/renewal-refused.js'
import { paymentFailure } from '../model/payment-failure.js'
import type { Payment } from '../store/payment.entity.js'
import type { Stores } from '../store/stores.js'
import type { SubscriptionPeriod } from '../store/subscription.entity.js'
import { failAttempt, type SubscriptionDeps } from './fail-attempt.js'

const LIMITED = 'payment_limit_exceeded'

/** What counting a period against the tenant's limits needs. */
export type RefuseAboveLimitDeps = LimitDeps & SubscriptionDeps & Pick<Stores, 'alerts'>

/** The period, its payment, and the payment by which the payer's card came to be on file. */
export interface LimitedPeriod {
  period: Pick<SubscriptionPeriod, 'attempt'>
  payment: Payment
  paidBefore: Payment
}

/**
 * Counts a period's payment against the limits of its tenant before the card on file is charged. The payer is known by e-mail
 * and by what the earlier payment was counted with. Above a limit nothing is charged: the payment says why, an operator is told, and the
 * attempt has failed as a refused one.
 * @returns whether it was refused
 */
export async function refuseAboveLimit(deps: RefuseAboveLimitDeps, limited: LimitedPeriod): Promise<boolean> {
  const { payment, paidBefore } = limited
  const { payerEmail, payerWallet } = paidBefore
  try {
    await assertWithinLimits(
      deps,
      payment,
      { payerEmail: payerEmail ?? null, payerWallet: payerWallet ?? null },
      paidBefore.id,
    )
    if (payment.dataError?.code === LIMITED) await deps.alerts.clear('renewal_refused', payment.id)
    return false
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== LIMITED) throw error
    await refuse(deps, limited, error)
    return true
  }
}

async function refuse(
  deps: RefuseAboveLimitDeps,
  { payment: { tenantId, id, sequence }, period }: LimitedPeriod,
  { message, details }: AppError,
): Promise<void> {
  await deps.payments.change(tenantId, id, async (locked, em) => {
    // Somebody has paid it, or tries to, meanwhile.
    if (locked.sequence !== sequence) return undefined
    const found = await deps.subscriptions.lockPeriodOf(em, locked)
    if (found?.period.state !== 'open' || found.period.attempt !== period.attempt) return undefined
    await failAttempt(deps, em, found, 'refused')
    // What follows the payment's status reads the period again, which would drop what is not written yet.
    await em.flush()
    await deps.addJob(em, renewalRefused(id, details))
    const dataError = paymentFailure(LIMITED, message, details ?? null)
    return { change: { status: 'error' as const, dataError }, cause: LIMITED, notify: true }
  })
}
