import { AppError } from '../../../kernel/errors.js'
import type { Role } from '../../../kernel/tenant.js'
import type { ActingTenant } from '../domain/acting-tenant.js'
import type { PeopleDeps } from './deps.js'
import { personEmail } from './email.js'
import type { InvitationLanguage } from './invitation-message.js'
import { assertNotDeclined, mailInvitation, type DeclinesDeps, type MailInvitationDeps } from './mail-invitation.js'
import { invitationEnd, type Invitation } from './store/invitations.js'
import type { TenantPerson } from './store/members.js'

/** People of one tenant, and who is invited. */
export const PEOPLE_MAX = 100

type MemberDeps = Pick<PeopleDeps, 'accounts' | 'clock' | 'invitations' | 'members' | 'newId' | 'transaction'>

/** Whom to invite, and the language of the e-mail; English where it is left out. */
export interface InvitePersonInput {
  email: string
  role: Role
  language?: InvitationLanguage | null
}

/**
 * Invites an address to a tenant, by e-mail: who signs in with it accepts, or declines. The answer is the same whether anybody
 * is known by the address or not. Who is invited already is invited to the role that is said now.
 * @param inviter the id of the person who invites
 * @throws validation_error on `email`; invalid_parameters where the person is a member already, has declined of late, there are too many, or
 *   too many e-mails
 */
export async function invitePerson(
  deps: MemberDeps & MailInvitationDeps & DeclinesDeps,
  tenant: ActingTenant,
  inviter: string | null,
  { email: given, role, language }: InvitePersonInput,
): Promise<TenantPerson> {
  const email = personEmail(given)
  const createdAt = deps.clock.now()
  return deps.transaction(async (em) => {
    await tenant.reauthorize?.(em)
    const members = await deps.members.lock(em, tenant.id)
    if (members.some((member) => member.email === email)) {
      throw new AppError('invalid_parameters', { message: 'This person belongs to the tenant already.' })
    }
    if (members.length + (await deps.invitations.count(em, tenant.id)) >= PEOPLE_MAX) {
      throw new AppError('invalid_parameters', { message: `A tenant has ${PEOPLE_MAX} people at most.` })
    }
    const made = { id: deps.newId(), tenantId: tenant.id, email, role, invitedBy: inviter, createdAt }
    const invitation = await deps.invitations.put(em, made)
    // A decline of this moment holds the invitation: it is seen only after that.
    await assertNotDeclined(deps, em, made)
    await mailInvitation(deps, em, tenant, invitation, language ?? 'en')
    return invited(invitation)
  })
}

/**
 * Sends an invitation again, which begins anew: also one that has ended.
 * @param inviter the id of the person who wants it
 * @throws not_found where there is no such invitation; invalid_parameters where there were too many e-mails
 */
export async function resendInvitation(
  deps: MemberDeps & MailInvitationDeps,
  tenant: ActingTenant,
  inviter: string | null,
  { id, language }: { id: string; language?: InvitationLanguage | null },
): Promise<TenantPerson> {
  return deps.transaction(async (em) => {
    await tenant.reauthorize?.(em)
    await deps.members.lock(em, tenant.id)
    const now = deps.clock.now()
    const invitation = await deps.invitations.renew(em, { tenantId: tenant.id, id, invitedBy: inviter, now })
    if (!invitation) throw new AppError('not_found', { message: 'No such invitation.' })
    await mailInvitation(deps, em, tenant, invitation, language ?? 'en')
    return invited(invitation)
  })
}

/**
 * Gives a member another role, or somebody who is invited.
 * @param change.revokeKeys whether the keys that the person made end too: otherwise they keep their scopes, whatever the role is
 * @throws not_found; invalid_parameters where nobody would own the tenant any more
 */
export async function changeRole(
  deps: MemberDeps,
  tenant: ActingTenant,
  { id, role, revokeKeys }: { id: string; role: Role; revokeKeys: boolean },
): Promise<TenantPerson> {
  const now = deps.clock.now()
  return deps.transaction(async (em) => {
    await tenant.reauthorize?.(em)
    const invitation = await deps.invitations.changeRole(em, tenant.id, id, role)
    if (invitation) return invited(invitation)
    await assertOwned(deps, em, tenant.id, id, role)
    await deps.members.changeRole(em, tenant.id, id, role)
    if (revokeKeys) await deps.accounts.revokeKeysOf(em, tenant.id, id, now)
    return deps.members.get(em, tenant.id, id, now)
  })
}

/**
 * Takes a member out of a tenant, or an invitation back. The sessions of that person read it for five seconds more, and make nothing in it
 * that lasts.
 * @param removal.revokeKeys whether the keys that the person made end too. Shops run on them: otherwise they live on, and
 *   the answer tells how many
 * @returns who it was
 * @throws not_found; invalid_parameters where nobody would own the tenant any more
 */
export async function removePerson(
  deps: MemberDeps,
  tenant: ActingTenant,
  { id, revokeKeys }: { id: string; revokeKeys: boolean },
): Promise<TenantPerson> {
  const now = deps.clock.now()
  return deps.transaction(async (em) => {
    await tenant.reauthorize?.(em)
    const invitation = await deps.invitations.remove(em, tenant.id, id)
    if (invitation) return invited(invitation)
    await assertOwned(deps, em, tenant.id, id, undefined)
    if (revokeKeys) await deps.accounts.revokeKeysOf(em, tenant.id, id, now)
    const person = await deps.members.get(em, tenant.id, id, now)
    await deps.members.remove(em, tenant.id, id)
    return person
  })
}

function invited({ id, email, role, createdAt }: Invitation): TenantPerson {
  return { id, email, role, createdAt, joinedAt: null, invitationExpiresAt: invitationEnd(createdAt), apiKeyCount: 0 }
}

/** Two owners who remove each other at once wait for each other: the members are locked. */
async function assertOwned(
  deps: MemberDeps,
  em: Parameters<MemberDeps['members']['lock']>[0],
  tenantId: string,
  personId: string,
  role: Role | undefined,
): Promise<void> {
  const members = await deps.members.lock(em, tenantId)
  if (!members.some((member) => member.personId === personId)) {
    throw new AppError('not_found', { message: 'No such person.' })
  }
  const others = members.filter((member) => member.personId !== personId && member.role === 'owner')
  if (others.length === 0 && role !== 'owner') {
    throw new AppError('invalid_parameters', { message: 'A tenant has an owner: name another one first.' })
  }
}
