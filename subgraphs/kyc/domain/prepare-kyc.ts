import type { Tenant } from '../../../kernel/tenant.js'
import type { KycDeps } from '../deps.js'
import type { Person } from '../store/person.entity.js'
import { assertKycEnabled } from './assert-kyc-enabled.js'
import { emailIdentity } from './identity.js'
import { preparationOf, type Preparation } from './preparation.js'
import { assertQuotaLeft } from './quota.js'

type PrepareKycDeps = Pick<KycDeps, 'clock' | 'logAccess' | 'once' | 'people' | 'sessions' | 'settings'>

/**
 * Prepares the owner of an e-mail address for verification; a person who is prepared already stays as they are.
 * @throws product_disabled; verify_quota_exceeded for a new one, who could not be verified; idempotency_*
 */
export async function prepareKyc(
  deps: PrepareKycDeps,
  tenant: Tenant,
  { email }: { email: string },
): Promise<Preparation> {
  assertKycEnabled(tenant)
  const identity = emailIdentity(email)
  // A wallet that has only named the address says nothing of it.
  const answerOf = (person: Person, created: boolean): Preparation =>
    preparationOf(person, {
      created,
      now: deps.clock.now(),
      emailVerified: person.verifiedAt !== null,
      walletVerified: false,
    })
  const { answer } = await deps.once(tenant, async (em) => {
    await deps.people.lockIdentities(em, tenant.id, [identity])
    const known = await deps.people.lock(em, tenant.id, identity)
    if (known) return answerOf(known, false)
    await assertQuotaLeft(deps, tenant, { em })
    const created = await deps.people.create(em, tenant.id)
    const person = await deps.people.setIdentity(em, created, identity, null)
    return answerOf(person, true)
  })
  await deps.logAccess(tenant.id, answer.personId, 'prepare-kyc')
  return answer
}
