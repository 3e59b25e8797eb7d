import type { Tenant } from '../../../kernel/tenant.js'
import type { KycDeps } from '../deps.js'
import { identitiesOf, type NamedIdentity } from './identity.js'
import { statusFor } from './kyc-status.js'
import { refreshPerson } from './refresh-session.js'

/** How a payer stands for the gate of payments, from the worst to the best. */
export const KYC_STANDINGS = ['no_record', 'not_approved', 'approved'] as const
export type KycStandingState = (typeof KYC_STANDINGS)[number]

/**
 * How a payer stands; where both an e-mail address and a wallet are named, the better of the two. Somebody without a
 * session counts as nobody, and so does an address that was never proved. With the product off nobody has a record.
 */
export async function kycStanding(deps: KycDeps, tenant: Tenant, named: NamedIdentity): Promise<KycStandingState> {
  if (!tenant.products.includes('kyc') || (!named.email && !named.wallet)) return 'no_record'
  let best: KycStandingState = 'no_record'
  for (const identity of identitiesOf(named)) {
    const known = await deps.personBy(tenant.id, identity)
    const provedAt = identity.kind === 'email' ? known?.emailVerifiedAt : known?.walletVerifiedAt
    if (!known?.sessionId || !provedAt) continue
    const person = await refreshPerson(deps, known)
    await deps.logAccess(tenant.id, person.id, 'kyc-standing')
    if (statusFor(person, identity.kind, deps.clock.now()) === 'approved') return 'approved'
    best = 'not_approved'
  }
  return best
}
