import type { Transaction } from '../../../kernel/database.js'
import { AppError } from '../../../kernel/errors.js'
import type { KycDeps } from '../deps.js'
import type { Person } from '../store/person.entity.js'
import type { Identity } from './identity.js'
import { assertQuotaLeft, type QuotaAsker } from './quota.js'

export type LinkIdentitiesDeps = Pick<KycDeps, 'clock' | 'linkedEmails' | 'people' | 'sessions' | 'settings'>

/**
 * The person of a wallet that has just been proved, with the e-mail address sent along with it as a note: a wallet has one
 * address, and an address one wallet. Sending an address proves nothing about it, so its owner stays a person of
 * their own, who is prepared here where there is none: an approval counts for the identity whose session led to it alone.
 * @returns the wallet's person, whether they are new, and the id of the person of the address
 * @throws email_already_linked; verify_quota_exceeded for a new person
 */
export async function linkIdentities(
  deps: LinkIdentitiesDeps,
  tenant: QuotaAsker,
  { em, wallet, email }: { em: Transaction; wallet: Identity; email: Identity | undefined },
): Promise<{ person: Person; created: boolean; ownerId: string | null }> {
  const { people, clock } = deps
  await people.lockIdentities(em, tenant.id, email ? [wallet, email] : [wallet])
  const known = await people.lock(em, tenant.id, wallet)
  if (email) await assertLinkable(deps, em, { tenantId: tenant.id, known, email })
  if (!known) await assertQuotaLeft(deps, tenant, { em })
  // Proved again: the row has the hash and the seal of the present key from now on.
  const person = await people.setIdentity(em, known ?? (await people.create(em, tenant.id)), wallet, clock.now())
  const ownerId = email ? await linkEmail(deps, em, { person, email }) : null
  return { person, created: known === undefined, ownerId }
}

async function assertLinkable(
  { linkedEmails }: LinkIdentitiesDeps,
  em: Transaction,
  { tenantId, known, email }: { tenantId: string; known: Person | undefined; email: Identity },
): Promise<void> {
  const holderId = await linkedEmails.holder(em, tenantId, email)
  const isOwn = holderId !== undefined && holderId === known?.id
  if (!isOwn && (holderId !== undefined || known?.hasLinkedEmail)) throw new AppError('email_already_linked')
}

/** @returns the id of the person of the address */
async function linkEmail(
  { people, linkedEmails }: LinkIdentitiesDeps,
  em: Transaction,
  { person, email }: { person: Person; email: Identity },
): Promise<string> {
  await linkedEmails.link(em, person, email)
  const { tenantId } = person
  const owner = await people.lock(em, tenantId, email)
  return (owner ?? (await people.setIdentity(em, await people.create(em, tenantId), email, null))).id
}
