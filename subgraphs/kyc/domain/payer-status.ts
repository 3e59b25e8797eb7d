import type { Tenant } from '../../../kernel/tenant.js'
import type { KycDeps } from '../deps.js'
import { identitiesOf, type NamedIdentity } from './identity.js'
import { statusNow } from './kyc-status.js'
import { refreshPerson, type RefreshSessionDeps } from './refresh-session.js'

/** The status of a payer for the gate of payments, from the worst to the best. */
export type PayerStatus = 'no_record' | 'not_approved' | 'approved'

type PayerStatusDeps = RefreshSessionDeps & Pick<KycDeps, 'logAccess' | 'personBy'>

/**
 * The status of a payer; where both an e-mail address and a wallet are named, the better of the two. A person without a
 * session, which needs a proved identity, has no record. With the product off there are no records.
 */
export async function payerStatus(deps: PayerStatusDeps, tenant: Tenant, named: NamedIdentity): Promise<PayerStatus> {
  if (!tenant.products.includes('kyc') || (!named.email && !named.wallet)) return 'no_record'
  let best: PayerStatus = 'no_record'
  for (const identity of identitiesOf(named)) {
    const known = await deps.personBy(tenant.id, identity)
    if (!known?.sessionId) continue
    const person = await refreshPerson(deps, known)
    await deps.logAccess(tenant.id, person.id, 'kyc-standing')
    if (statusNow(person, deps.clock.now()) === 'approved') return 'approved'
    best = 'not_approved'
  }
  return best
}
