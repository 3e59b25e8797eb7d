import type { Transaction } from '../../../../kernel/database.js'
import type { JobRequest } from '../../../../kernel/jobs.js'
import type { MailMessage } from '../../../../kernel/mailer.js'
import type { SubscriptionPeriod } from '../../store/subscription.entity.js'
import type { MailReason, PlannedMail, SubscriptionMailsStore } from '../../store/subscription-mails.js'
import type { MailRules } from './environment.js'
import { mailJob } from './mail-jobs.js'

/** How payers of subscriptions are written to. */
export interface PayerMails {
  send: (message: MailMessage) => Promise<void>
  rules: MailRules
  /** A signed link to the page on which a payer stops the e-mails of a subscription. */
  stopLink: (subscription: { tenantId: string; id: string }) => string
}

/** What asking a payer needs; it happens in transactions of others. */
export interface AskPayerDeps {
  subscriptionMails: Pick<SubscriptionMailsStore, 'plan'>
  /** Absent where the deployment sends no e-mails: then nobody is asked. */
  payerMails?: PayerMails | undefined
  addJob: (em: Transaction, job: JobRequest) => Promise<void>
}

/**
 * Has a payer asked by e-mail to pay a period himself, in the transaction that leaves it to him: once, whatever runs twice.
 * @param now when it was left to him; the days of reminders are counted from when it was due, or tried for the last time
 */
export async function askPayer(
  deps: AskPayerDeps,
  em: Transaction,
  period: Pick<SubscriptionPeriod, 'tenantId' | 'subscriptionId' | 'period' | 'dueAt'>,
  { reason, now }: { reason: MailReason; now: Date },
): Promise<void> {
  if (!deps.payerMails) return
  const { tenantId, subscriptionId, period: number, dueAt } = period
  const since = reason === 'due' ? dueAt : now
  await planMail(deps, em, { tenantId, subscriptionId, period: number, step: 0, reason, since, plannedAt: now })
}

/** Plans a step, with its job. One that was planned stays as it is. */
export async function planMail(
  deps: Omit<AskPayerDeps, 'payerMails'>,
  em: Transaction,
  mail: PlannedMail,
): Promise<void> {
  if (await deps.subscriptionMails.plan(em, mail)) await deps.addJob(em, mailJob(mail, mail.plannedAt))
}
