import type { Transaction } from '../../../kernel/database.js'
import { AppError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { KycDeps } from '../deps.js'
import type { Person } from '../store/people.js'
import type { Identity } from './identity.js'
import { statusNow } from './kyc-status.js'
import { assertQuotaLeft } from './quota.js'

/**
 * The one person of a wallet that has just been proved and of the e-mail address sent along with it: a wallet has one
 * address, and an address one wallet. Where both are known as two people, they become one. The address stays unproved
 * unless it was proved before.
 * @throws email_already_linked; verify_quota_exceeded for somebody new
 */
export async function linkIdentities(
  deps: KycDeps,
  tenant: Pick<Tenant, 'id'>,
  { em, wallet, email }: { em: Transaction; wallet: Identity; email: Identity | undefined },
): Promise<{ person: Person; created: boolean }> {
  const { people } = deps
  await people.lockIdentities(em, tenant.id, email ? [wallet, email] : [wallet])
  const byWallet = await people.lock(em, tenant.id, wallet)
  const byEmail = email && (await people.lock(em, tenant.id, email))
  const isSame = byWallet?.id === byEmail?.id
  if (email && !isSame && (byEmail?.walletHash || byWallet?.emailHash)) throw new AppError('email_already_linked')
  const known =
    email && byWallet && byEmail && !isSame
      ? await merge(deps, em, { byWallet, wallet, byEmail, email })
      : (byWallet ?? byEmail)
  if (!known) await assertQuotaLeft(deps, tenant, { em })
  let person = known ?? (await people.create(em, tenant.id))
  // Proved again: the row has the hash and the seal of the present key from now on.
  person = await people.setIdentity(em, person, wallet, deps.clock.now())
  if (email) person = await people.setIdentity(em, person, email, person.emailVerifiedAt)
  return { person, created: known === undefined }
}

/** Makes two rows one: the one that has got further in its verification stays, with the sessions of both. */
async function merge(
  { people, sessions, clock }: KycDeps,
  em: Transaction,
  both: { byWallet: Person; wallet: Identity; byEmail: Person; email: Identity },
): Promise<Person> {
  const { byWallet, wallet, byEmail, email } = both
  const progress = (person: Person): number =>
    statusNow(person, clock.now()) === 'approved' ? 2 : person.sessionId === null ? 0 : 1
  const keepsWallets = progress(byWallet) > progress(byEmail)
  const [kept, dropped] = keepsWallets ? [byWallet, byEmail] : [byEmail, byWallet]
  await sessions.move(em, dropped.tenantId, dropped.id, kept.id)
  await people.remove(em, dropped)
  return keepsWallets
    ? people.setIdentity(em, kept, email, dropped.emailVerifiedAt)
    : people.setIdentity(em, kept, wallet, dropped.walletVerifiedAt)
}
