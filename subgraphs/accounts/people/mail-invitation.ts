import type { Transaction } from '../../../kernel/database.js'
import { AppError } from '../../../kernel/errors.js'
import { addJob, type JobKind } from '../../../kernel/jobs.js'
import type { PeopleDeps } from './deps.js'
import { invitationMessage, type InvitationLanguage } from './invitation-message.js'
import { invitationEnd, type Invitation } from './store/invitations.js'

const SEND_INVITATION = 'send-invitation'

/** With the seconds that graphile-worker waits in between, this is some hours: a mail server comes back by then. */
const MAX_ATTEMPTS = 10

/** What a tenant may have sent in a day: to one address, and in all. A name and an address are what a stranger gets to read. */
const SENDS_MAX = { address: 5, tenant: 100 }
const DAY_MS = 86_400_000

/** Which e-mail is to be sent. */
export interface InvitationMail {
  tenantId: string
  invitationId: string
  /** When the invitation began, ISO 8601: one that has begun anew has an e-mail of its own. */
  invitedAt: string
  language: InvitationLanguage
}

/** What ordering an e-mail needs. */
export type MailInvitationDeps = Pick<PeopleDeps, 'clock' | 'invitationMails'>

/**
 * Has an invitation sent to its address, by a job of the same transaction.
 * @param em holds the lock of the tenant's members: what was sent is counted in turn
 * @throws invalid_parameters where enough was sent of late
 */
export async function mailInvitation(
  deps: MailInvitationDeps,
  em: Transaction,
  tenant: { id: string },
  { id, email, createdAt }: Invitation,
  language: InvitationLanguage,
): Promise<void> {
  const now = deps.clock.now()
  const of = { tenantId: tenant.id, email }
  const sent = await deps.invitationMails.count(em, of, new Date(now.getTime() - DAY_MS))
  if (sent.address >= SENDS_MAX.address || sent.tenant >= SENDS_MAX.tenant) {
    throw new AppError('invalid_parameters', {
      message: `A day has ${SENDS_MAX.address} invitations to an address, and ${SENDS_MAX.tenant} of a tenant; try again tomorrow.`,
    })
  }
  await deps.invitationMails.note(em, of, now)
  const payload: InvitationMail = {
    ...{ tenantId: tenant.id, invitationId: id, invitedAt: createdAt.toISOString() },
    language,
  }
  const key = `${SEND_INVITATION}:${id}`
  await addJob(em, deps.clock, { name: SEND_INVITATION, payload, key, maxAttempts: MAX_ATTEMPTS })
}

/** What sending an e-mail needs. */
type SendInvitationDeps = Pick<PeopleDeps, 'clock' | 'invitationMails' | 'sendMail' | 'settings'>

/**
 * Sends the e-mail of an invitation that is still open: the job `send-invitation`. A process that dies between the mail server's
 * yes and the end of the job sends it again, under the same `Message-ID`.
 * @throws provider_unavailable, provider_timeout: the job comes again
 */
export async function sendInvitation(deps: SendInvitationDeps, mail: InvitationMail): Promise<void> {
  const { tenantId, invitationId, invitedAt, language } = mail
  const found = await deps.invitationMails.find(tenantId, invitationId)
  if (found?.createdAt.toISOString() !== invitedAt) return
  const endsAt = invitationEnd(found.createdAt)
  if (endsAt <= deps.clock.now()) return
  await deps.sendMail({
    to: found.email,
    messageName: `invitation-${invitationId}-${found.createdAt.getTime()}`,
    ...invitationMessage({ ...found, link: deps.settings.consoleUrl, endsAt }, language),
  })
}

/** The job that sends invitations. */
export function invitationJobs(deps: SendInvitationDeps): JobKind<never>[] {
  const send: JobKind<InvitationMail> = {
    name: SEND_INVITATION,
    maxAttempts: MAX_ATTEMPTS,
    run: (mail) => sendInvitation(deps, mail),
  }
  return [send]
}

/** Removes the notes of e-mails that no limit counts any more. */
export function forgetInvitationMails({ clock, invitationMails }: MailInvitationDeps): Promise<void> {
  return invitationMails.forget(new Date(clock.now().getTime() - DAY_MS))
}
