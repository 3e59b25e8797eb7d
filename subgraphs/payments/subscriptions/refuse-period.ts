import { AppError } from '../../../kernel/errors.js'
import { assertWalletsAllowed, type ScreenPaymentDeps } from '../domain/risk/assert-wallets-allowed.js'
import { assertWithinLimits, type LimitDeps } from '../domain/risk/assert-within-limits.js'
import { renewalRefused } from '../domain/risk/renewal-refused.js'
import { paymentFailure, type ErrorReason } from '../model/payment-failure.js'
import type { Payment } from '../store/payment.entity.js'
import type { Stores } from '../store/stores.js'
import type { SubscriptionPeriod } from '../store/subscription.entity.js'
import { failAttempt, type SubscriptionDeps } from './fail-attempt.js'

/** What asking whether a period may be charged needs. */
export type RefusePeriodDeps = LimitDeps & ScreenPaymentDeps & SubscriptionDeps & Pick<Stores, 'alerts'>

/** The period, its payment, and the payment by which the payer's card came to be on file. */
export interface AskedPeriod {
  period: Pick<SubscriptionPeriod, 'attempt'>
  payment: Payment
  paidBefore: Payment
}

/** What may refuse a period before its card is asked, and how an operator is told of it. */
const REFUSALS = {
  payment_limit_exceeded: (details: string | undefined) => details,
  wallet_refused: (details = 'a wallet') => `refused by the screening: ${details}`,
} as const satisfies Partial<Record<ErrorReason, (details: string | undefined) => string | undefined>>
type Refusal = keyof typeof REFUSALS

/**
 * Screens a period's wallets, and counts its payment against the limits of its tenant, before the card on file is charged, as where a
 * payer begins to pay by himself. The payer is known by e-mail and by what the earlier payment was counted with. What is refused is
 * charged to nobody: the payment says why, an operator is told, and the attempt has failed as a refused one.
 * @returns whether it was refused
 * @throws where nobody tells, provider_unavailable, provider_timeout: then nobody is charged, and the attempt comes again
 */
export async function refusePeriod(deps: RefusePeriodDeps, asked: AskedPeriod): Promise<boolean> {
  const { payment, paidBefore, period } = asked
  const { payerEmail = null, payerWallet = null, chainName = null } = paidBefore
  try {
    await assertWalletsAllowed(deps, payment, { payerWallet, chainName })
    await assertWithinLimits(deps, payment, { payerEmail, payerWallet }, paidBefore.id)
  } catch (error) {
    if (!(error instanceof AppError) || !isRefusal(error.code)) throw error
    await refuse(deps, asked, error.code, error)
    return true
  }
  if (period.attempt > 1) await deps.alerts.clear('renewal_refused', payment.id)
  return false
}

function isRefusal(code: string): code is Refusal {
  return Object.hasOwn(REFUSALS, code)
}

async function refuse(
  deps: RefusePeriodDeps,
  { payment: { tenantId, id, sequence }, period }: AskedPeriod,
  code: Refusal,
  { message, details }: AppError,
): Promise<void> {
  await deps.payments.change(tenantId, id, async (locked, em) => {
    // Somebody has paid it, or tries to, meanwhile.
    if (locked.sequence !== sequence) return undefined
    const found = await deps.subscriptions.lockPeriodOf(em, locked)
    if (found?.period.state !== 'open' || found.period.attempt !== period.attempt) return undefined
    await failAttempt(deps, em, found, 'uncharged')
    // What follows the payment's status reads the period again, which would drop what is not written yet.
    await em.flush()
    await deps.addJob(em, renewalRefused(id, REFUSALS[code](details)))
    const dataError = paymentFailure(code, message, details ?? null)
    return { change: { status: 'error' as const, dataError }, cause: code, notify: true }
  })
}
