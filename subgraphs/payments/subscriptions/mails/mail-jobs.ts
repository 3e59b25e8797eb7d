import type { JobRequest } from '../../../../kernel/jobs.js'
import type { MailStep } from '../../store/subscription-mails.js'

export const MAIL_SUBSCRIPTION = 'mail-subscription'

/** The step after which nothing is sent: a period that nobody has paid makes its subscription past due. Above any reminder. */
export const PAST_DUE_STEP = 1_000

/** E-mails wait for what moves money, the renewals of all tenants (11) among it. */
const PRIORITY = 12

/** Names a step; also the e-mail of it, by which a mailbox knows one that comes twice. */
export function mailKey({ subscriptionId, period, step }: MailStep): string {
  return `${MAIL_SUBSCRIPTION}-${subscriptionId}-${period}-${step}`
}

/** Takes a step towards a payer; of each one such job waits at a time. */
export function mailJob({ tenantId, subscriptionId, period, step }: MailStep, runAt: Date): JobRequest {
  const payload: MailStep = { tenantId, subscriptionId, period, step }
  return { name: MAIL_SUBSCRIPTION, payload, runAt, key: mailKey(payload), priority: PRIORITY }
}
