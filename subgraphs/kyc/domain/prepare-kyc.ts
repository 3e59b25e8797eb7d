import type { Tenant } from '../../../kernel/tenant.js'
import type { KycDeps } from '../deps.js'
import { assertKycEnabled } from './assert-kyc-enabled.js'
import { emailIdentity } from './identity.js'
import { preparationOf, type Preparation } from './preparation.js'
import { assertQuotaLeft } from './quota.js'

/**
 * Prepares the owner of an e-mail address for verification; somebody who is prepared already stays as they are.
 * @throws product_disabled; verify_quota_exceeded for a new one, who could not be verified; idempotency_*
 */
export async function prepareKyc(deps: KycDeps, tenant: Tenant, { email }: { email: string }): Promise<Preparation> {
  assertKycEnabled(tenant)
  const identity = emailIdentity(email)
  const { answer } = await deps.once(tenant, async (em) => {
    const now = deps.clock.now()
    await deps.people.lockIdentities(em, tenant.id, [identity])
    const known = await deps.people.lock(em, tenant.id, identity)
    if (known) return preparationOf(known, 'email', { created: false, now })
    await assertQuotaLeft(deps, tenant, { em })
    const created = await deps.people.create(em, tenant.id)
    const person = await deps.people.setIdentity(em, created, identity, null)
    return preparationOf(person, 'email', { created: true, now })
  })
  await deps.logAccess(tenant.id, answer.personId, 'prepare-kyc')
  return answer
}
