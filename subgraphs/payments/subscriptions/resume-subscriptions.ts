import type { Runtime } from '../model/runtime.js'
import type { Stores } from '../store/stores.js'
import { mailJob } from './mails/mail-jobs.js'
import { chargePeriodJob, renewJob } from './subscription-jobs.js'

/** What resuming subscriptions needs. */
export type ResumeSubscriptionsDeps = Pick<Runtime, 'clock'> &
  Pick<Stores, 'addJobNow' | 'subscriptionMails' | 'subscriptions'>

/** A due date is a job's; what it has not come to by this may have lost its job. */
const OVERDUE_MS = 3_600_000
const BATCH_MAX = 1_000

/**
 * Gives subscriptions, attempts to charge, and e-mails to payers, that are overdue a job again: one that failed too often is not
 * repeated by itself. An attempt that was made after all is not made twice: its number and the payment's row lock decide.
 */
export async function resumeSubscriptions(deps: ResumeSubscriptionsDeps): Promise<void> {
  const now = deps.clock.now()
  const before = new Date(now.getTime() - OVERDUE_MS)
  const overdue = await deps.subscriptions.findOverdue(before, BATCH_MAX)
  for (const subscription of overdue) await deps.addJobNow(renewJob(subscription, now))
  for (const attempt of await deps.subscriptions.findOverdueAttempts(before, BATCH_MAX)) {
    await deps.addJobNow(chargePeriodJob(attempt, now))
  }
  for (const mail of await deps.subscriptionMails.findOverdue(before, BATCH_MAX)) {
    await deps.addJobNow(mailJob(mail, now))
  }
}
