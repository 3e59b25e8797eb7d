import type { Transaction } from '../../../kernel/database.js'
import type { IdSource } from '../../../kernel/ids.js'
import type { SubscriptionConfig } from '../model/subscription.js'
import type { Charge } from '../store/charge.entity.js'
import type { ChargesStore } from '../store/charges.js'
import type { Payment } from '../store/payment.entity.js'
import type { Subscription, SubscriptionPeriod } from '../store/subscription.entity.js'
import { agreeTo } from './agreed-terms.js'
import { endPastDue } from './end-past-due.js'
import { failAttempt, type AttemptFailure, type SubscriptionDeps } from './fail-attempt.js'
import { makePastDue } from './mails/fall-past-due.js'
import { newSubscription } from './new-subscription.js'
import { firstPeriodAfter } from './periods.js'
import { isSettledBy, settlePeriod } from './settle-period.js'
import { attemptKey, renewJob } from './subscription-jobs.js'

/** What following payments needs; it happens in the transaction that changes the payment. */
export interface FollowDeps extends SubscriptionDeps {
  newId: IdSource
  charges: Pick<ChargesStore, 'load'>
}

/** The failures of a payment that nobody refused it by. */
const TECHNICAL: ReadonlySet<string> = new Set(['provider_unavailable', 'provider_failed'])

/**
 * Brings subscriptions up to what a payment has come to, in the transaction in which its status changes, in which it ends for
 * good, or in which its payer has paid: the first that succeeds starts one, a period's renews it, one that is refunded or canceled
 * settles its period, and a charge of ours that failed is planned again. Being past due ends when the money is there, however long
 * receivers wait for it, and begins again should it be taken back.
 * @param change.isPaid whether the payer has just paid
 */
export async function followPayment(
  deps: FollowDeps,
  em: Transaction,
  payment: Payment,
  { isPaid }: { isPaid: boolean },
): Promise<void> {
  if (payment.gatewayMethod !== 'subs') return
  const { status, subscriptionConfig } = payment
  if (status === 'success' && subscriptionConfig) {
    await start(deps, em, payment, subscriptionConfig)
    return
  }
  const isWaiting = status === 'registered' || (status === 'pending' && !isPaid)
  if (isWaiting || subscriptionConfig) return
  const found = await deps.subscriptions.lockPeriodOf(em, payment)
  if (!found || found.period.state === 'paid') return
  const charge = await chargeOf(deps, em, payment)
  const isOurs = charge?.requestKey === attemptKey(found.period)
  if (status === 'success' || status === 'pending') {
    // Who pays by another card wants the next period to be charged to that one; where none is charged, he is asked where he has paid last.
    if (!isOurs && (charge?.cardOnFile || !found.subscription.charge)) found.subscription.meansPaymentId = payment.id
    if (!isOurs) await agree(deps, em, payment, found)
    if (status === 'success') await renew(deps, em, found)
    else await endPastDue(deps, em, found, 'subscription.resumed')
  } else if (isSettledBy(payment, found)) {
    await settlePeriod(deps, em, found)
  } else if (isOurs) {
    await failAttempt(deps, em, found, failureOf(payment))
  } else if (found.period.state === 'failed' && found.subscription.status === 'active') {
    // It was paid, and the money is gone again.
    await makePastDue(deps, em, found)
  }
}

/** How an attempt of ours has failed: that a card was refused is its issuer's word, or the antifraud's, alone. */
function failureOf({ status, dataError }: Payment): AttemptFailure {
  if (status === 'reproved') return 'refused'
  return TECHNICAL.has(dataError?.code ?? '') ? 'technical' : 'uncharged'
}

/** The charge that a payment waits for, or has ended with; undefined where it has none. */
async function chargeOf(
  { charges }: FollowDeps,
  em: Transaction,
  { tenantId, chargeId }: Payment,
): Promise<Charge | undefined> {
  return chargeId ? (await charges.load(em, { tenantId, id: chargeId })).charge : undefined
}

/** Who pays a period of a changed plan himself agrees to what it costs. */
async function agree(
  { subscriptions }: FollowDeps,
  em: Transaction,
  { amountFrom }: Payment,
  { subscription, period }: { subscription: Subscription; period: SubscriptionPeriod },
): Promise<void> {
  if (subscription.consentFrom == null) return
  const interval = await subscriptions.intervalOf(em, period)
  if (interval) agreeTo(subscription, period.period, { amountFrom, interval })
}

async function start(deps: FollowDeps, em: Transaction, payment: Payment, config: SubscriptionConfig): Promise<void> {
  const now = deps.clock.now()
  // Receivers may wait for months, and with them the success: what its payer has paid for begins when the money came.
  const paidAt = (await chargeOf(deps, em, payment))?.confirmedAt ?? now
  // Where the order names no date, the first payment is the first period.
  const anchorAt = config.nextPaymentAt == null ? paidAt : new Date(config.nextPaymentAt * 1000)
  const nextPeriod = firstPeriodAfter(anchorAt, config.interval, paidAt)
  const { tenantId, id: paymentId, orderCode } = payment
  const about = { tenantId, id: deps.newId(), orderCode: orderCode ?? null, paymentId, anchorAt, nextPeriod }
  const begun = newSubscription(about, config, now)
  const subscription = deps.subscriptions.add(em, begun.subscription)
  await deps.subscriptions.record(em, subscription, 'subscription.started', {})
  await deps.addJob(em, renewJob(subscription, begun.nextPaymentAt))
}

/** A period is paid, which ends being past due. */
async function renew(
  deps: FollowDeps,
  em: Transaction,
  found: { subscription: Subscription; period: SubscriptionPeriod },
): Promise<void> {
  const { subscription, period } = found
  period.state = 'paid'
  if (subscription.status === 'canceled') return
  if (await endPastDue(deps, em, found, 'subscription.renewed')) return
  const { paymentId, dueAt, refusals } = period
  const about = { paymentId, dueAt, refusals, skippedPeriods: 0, nextAttemptAt: null }
  await deps.subscriptions.record(em, subscription, 'subscription.renewed', about)
}
