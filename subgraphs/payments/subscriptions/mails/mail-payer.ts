import { withAdvisoryLock } from '../../../../kernel/advisory-lock.js'
import { inTransaction, type Database, type Transaction } from '../../../../kernel/database.js'
import type { Runtime } from '../../model/runtime.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'
import type { MailReason, MailStep } from '../../store/subscription-mails.js'
import type { SubscriptionDeps } from '../fail-attempt.js'
import { planMail, type PayerMails } from './ask-payer.js'
import { fallPastDue } from './fall-past-due.js'
import { isPaidAndWaiting } from '../is-paid-and-waiting.js'
import type { RenewSubscriptionDeps } from '../renew-subscription.js'
import { findOwed, type OwedPeriod } from './find-owed.js'
import { mailJob, mailKey, PAST_DUE_STEP } from './mail-jobs.js'
import { mailMessage } from './mail-message.js'
import { mailLanguage } from './mail-words.js'

/** What writing to payers needs. */
export type MailPayerDeps = SubscriptionDeps &
  Pick<Runtime, 'log'> &
  Pick<RenewSubscriptionDeps, 'productsOf'> &
  Pick<Stores, 'addJobNow' | 'charges' | 'payments' | 'pool' | 'receiptEmails' | 'subscriptionMails'> & {
    database: Database
    /** How a tenant is called. */
    merchantNameOf: (tenantId: string) => Promise<string>
    sessionLink: (payment: Pick<Payment, 'id' | 'tenantId' | 'createdAt'>) => string
  }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A payer who is paying is not asked meanwhile; an attempt that nobody ends does not hold it up for ever. */
const PAYING_MAX_MS = DAY_MS
/** Two e-mails are not sent at once, however late the first was. */
const APART_MS = DAY_MS / 2
/** While another job takes the same step. */
const BUSY_DELAY_MS = 5_000

/**
 * The job of a step towards the payer of a period: sends the e-mail of it, or makes the subscription past due; and plans the
 * next. A process that dies between the mail server's yes and our note of it sends the e-mail again, under the same
 * `Message-ID`: a mailbox shows it once.
 * @throws where the mail server or accounts cannot be reached; the job then comes again
 */
export async function mailPayer(deps: MailPayerDeps, job: MailStep): Promise<void> {
  const taken = await withAdvisoryLock(deps.pool, mailKey(job), () => takeStep(deps, job))
  // The other job has lost its tries by the adding of this one: should it fail, nothing else would take the step.
  if (!taken) await deps.addJobNow(mailJob(job, new Date(deps.clock.now().getTime() + BUSY_DELAY_MS)))
}

async function takeStep(deps: MailPayerDeps, job: MailStep): Promise<void> {
  const planned = await deps.subscriptionMails.find(job)
  if (!planned || planned.isOver) return
  const now = deps.clock.now()
  const plannedAt = new Date(planned.plannedAt)
  // The process that timed the job may have a clock that is a little ahead of this one's.
  if (plannedAt > now) return deps.addJobNow(mailJob(job, plannedAt))
  const waitMs = (ms: number): Promise<void> => waitUntil(deps, job, new Date(now.getTime() + ms))
  const owed = await findOwed(deps, job)
  if (!owed) return deps.subscriptionMails.drop(job, now)
  if (owed.subscription.status === 'paused') return waitMs(DAY_MS)
  // The page of a disabled tenant takes nothing: nobody is asked to pay there, nor late for not having paid.
  if (!(await deps.productsOf(job.tenantId))) return waitMs(DAY_MS)
  const patienceMs = await patienceWith(deps, owed.payment)
  if (patienceMs > 0) return waitMs(patienceMs)
  if (job.step === PAST_DUE_STEP) {
    const isDone = await fallPastDue(deps, job, owed, async (...paid) => (await patienceWith(deps, ...paid)) > 0)
    return isDone ? undefined : waitMs(HOUR_MS)
  }
  const { payerMails } = deps
  const payer = await findPayer(deps, owed)
  if (!payerMails || !payer || owed.subscription.emailsStoppedAt) return deps.subscriptionMails.drop(job, now)
  const { perHour } = payerMails.rules
  if (!(await deps.subscriptionMails.take(job.tenantId, now, perHour))) {
    // The hour after is as good; a tenant with more than it may send is late, and nobody else is.
    return waitMs(HOUR_MS - (now.getTime() % HOUR_MS))
  }
  await send(deps, payerMails, { job, reason: planned.reason, owed, payer })
  await inTransaction(deps.database, async (em) => {
    await deps.subscriptionMails.endIn(em, job, 'done', now)
    for (const next of nextSteps(payerMails, { ...job, reason: planned.reason, since: new Date(planned.since) }, now)) {
      await planMail(deps, em, next)
    }
  })
}

/** How long the payer of a payment is let be: he has paid and his receivers wait, or he is paying. */
async function patienceWith(deps: MailPayerDeps, payment: Payment, em?: Transaction): Promise<number> {
  if (await isPaidAndWaiting(deps, payment, em)) return DAY_MS
  const isPaying =
    payment.status === 'pending' && deps.clock.now().getTime() - payment.updatedAt.getTime() < PAYING_MAX_MS
  return isPaying ? HOUR_MS : 0
}

/** Puts a step off. */
async function waitUntil(deps: MailPayerDeps, job: MailStep, at: Date): Promise<void> {
  await inTransaction(deps.database, async (em) => {
    await deps.subscriptionMails.reschedule(em, job, at)
    await deps.addJob(em, mailJob(job, at))
  })
}

/** Who pays, by the payment that was paid last by his own doing; undefined where no address is known. */
async function findPayer(
  deps: MailPayerDeps,
  { subscription: { tenantId, meansPaymentId, firstPaymentId } }: OwedPeriod,
): Promise<{ email: string; language: string | undefined } | undefined> {
  const ids = [...new Set([meansPaymentId, firstPaymentId])]
  for (const payment of await deps.payments.findMany(tenantId, ids)) {
    if (payment?.payerEmail == null) continue
    const receipt = await deps.receiptEmails.find(tenantId, payment.id)
    return { email: payment.payerEmail, language: receipt?.language }
  }
  return undefined
}

async function send(
  deps: MailPayerDeps,
  { send: sendMail, stopLink }: PayerMails,
  {
    job,
    reason,
    owed: { subscription, period, payment },
    payer,
  }: { job: MailStep; reason: MailReason; owed: OwedPeriod; payer: { email: string; language: string | undefined } },
): Promise<void> {
  const { fromCurrencySymbol: currency, amountFrom: amount } = payment
  const isTrialsEnd = subscription.trialEndsAt != null && job.period === 0
  const about = {
    kind: job.step > 0 ? ('reminder' as const) : isTrialsEnd ? ('trial' as const) : reason,
    shop: await deps.merchantNameOf(job.tenantId),
    ...{ plan: subscription.planName, amount, currency, dueAt: period.dueAt },
    // A reminder's link is as good as the first one's: for a week from when it is sent.
    page: deps.sessionLink({ ...payment, createdAt: deps.clock.now() }),
    stop: stopLink(subscription),
  }
  await sendMail({
    to: payer.email,
    messageName: mailKey(job),
    ...mailMessage(about, mailLanguage(payer.language, currency)),
  })
}

/** The step that follows one: the next reminder whose day is not near, and after the first e-mail the day of being past due. */
function nextSteps(
  { rules: { reminderDays, pastDueDays } }: PayerMails,
  mail: MailStep & { reason: MailReason; since: Date },
  now: Date,
) {
  const at = (days: number): Date => new Date(mail.since.getTime() + days * DAY_MS)
  const earliest = new Date(now.getTime() + APART_MS)
  const next = reminderDays.findIndex((days, index) => index >= mail.step && at(days) >= earliest)
  const days = reminderDays[next]
  const reminder = days === undefined ? [] : [{ ...mail, step: next + 1, plannedAt: at(days) }]
  if (mail.step > 0 || mail.reason !== 'due' || pastDueDays === 0) return reminder
  // Who was asked late has a day at least.
  const fallsAt = new Date(Math.max(at(pastDueDays).getTime(), now.getTime() + DAY_MS))
  return [...reminder, { ...mail, step: PAST_DUE_STEP, plannedAt: fallsAt }]
}
