import type { Transaction } from '../../../kernel/database.js'
import { AppError } from '../../../kernel/errors.js'
import { addJob, type JobKind } from '../../../kernel/jobs.js'
import type { PeopleDeps } from './deps.js'
import { invitationMessage, type InvitationLanguage } from './invitation-message.js'
import type { Decline } from './store/invitation-declines.js'
import { invitationEnd, type Invitation } from './store/invitations.js'

const SEND_INVITATION = 'send-invitation'

/** With the seconds that graphile-worker waits in between, this is some hours: a mail server comes back by then. */
const MAX_ATTEMPTS = 10

/**
 * What may be sent in a day: by a tenant to one address, by a tenant in all, and to one address by all tenants. A name and an address are
 * what a stranger gets to read, and anybody may have many tenants.
 */
const SENDS_MAX = { address: 5, tenant: 100, addressOfAll: 10 }
const DAY_MS = 86_400_000

/** How long a tenant invites nobody who has declined. */
const DECLINED_DAYS = 7

/** Which e-mail is to be sent. */
export interface InvitationMail {
  tenantId: string
  invitationId: string
  /** When the invitation began, ISO 8601: one that has begun anew has an e-mail of its own. */
  invitedAt: string
  language: InvitationLanguage
}

/** What asking for declined invitations needs. */
export type DeclinesDeps = Pick<PeopleDeps, 'clock' | 'invitationDeclines'>

/** What ordering an e-mail needs. */
export type MailInvitationDeps = Pick<PeopleDeps, 'clock' | 'invitationMails'>

/**
 * Has an invitation sent to its address, by a job of the same transaction. Where all tenants together have asked for enough, the e-mail
 * alone is left out, and is counted: the answer must not tell a tenant that others invite the address, nor may they keep the person
 * from being invited.
 * @param em holds the lock of the tenant's members: what was sent is counted in turn
 * @throws invalid_parameters where the tenant had enough sent of late
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
  await deps.invitationMails.lockAddress(em, email)
  const sent = await deps.invitationMails.count(em, of, new Date(now.getTime() - DAY_MS))
  if (sent.address >= SENDS_MAX.address || sent.tenant >= SENDS_MAX.tenant) {
    throw new AppError('invalid_parameters', {
      message: `A day has ${SENDS_MAX.address} invitations to an address, and ${SENDS_MAX.tenant} of a tenant; try again tomorrow.`,
    })
  }
  await deps.invitationMails.note(em, of, now)
  if (sent.addressOfAll >= SENDS_MAX.addressOfAll) return
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

/**
 * Keeps a tenant from asking again at once who has declined.
 * @throws invalid_parameters where the address has declined an invitation of the tenant of late
 */
export async function assertNotDeclined(
  { clock, invitationDeclines }: DeclinesDeps,
  em: Transaction,
  decline: Decline,
): Promise<void> {
  if (!(await invitationDeclines.has(em, decline, lastDecline(clock)))) return
  throw new AppError('invalid_parameters', {
    message: `This person has declined an invitation in the last ${DECLINED_DAYS} days.`,
  })
}

/** Removes the notes of e-mails that no limit counts any more, and of who declined so long ago that tenants may ask again. */
export async function forgetInvitationMails(deps: MailInvitationDeps & DeclinesDeps): Promise<void> {
  await deps.invitationMails.forget(new Date(deps.clock.now().getTime() - DAY_MS))
  await deps.invitationDeclines.forget(lastDecline(deps.clock))
}

function lastDecline(clock: PeopleDeps['clock']): Date {
  return new Date(clock.now().getTime() - DECLINED_DAYS * DAY_MS)
}
