import type { Tenant } from '../../../kernel/tenant.js'
import type { KycDeps } from '../deps.js'
import type { DocumentComparison } from '../vault.js'
import { identitiesOf, type NamedIdentity } from './identity.js'
import { statusNow } from './kyc-status.js'
import { refreshPerson, type RefreshSessionDeps } from './refresh-session.js'

type PayerDocumentDeps = RefreshSessionDeps & Pick<KycDeps, 'logAccess' | 'personBy' | 'vault'>

/**
 * Compares a tax id with the documents of the verified people that an e-mail address and a wallet name: `equal` where it is one
 * of theirs, `different` where theirs are known and it is none of them, `unknown` where no document of theirs is known.
 * @param named.document without punctuation
 */
export async function comparePayerDocument(
  deps: PayerDocumentDeps,
  tenant: Tenant,
  { document, ...named }: NamedIdentity & { document: string },
): Promise<DocumentComparison> {
  if (!tenant.products.includes('kyc') || (!named.email && !named.wallet)) return 'unknown'
  let found: DocumentComparison = 'unknown'
  for (const identity of identitiesOf(named)) {
    const known = await deps.personBy(tenant.id, identity)
    if (!known?.sessionId) continue
    const person = await refreshPerson(deps, known)
    await deps.logAccess(tenant.id, person.id, 'kyc-document')
    if (statusNow(person, deps.clock.now()) !== 'approved' || person.sessionId === null) continue
    const session = await deps.sessionById(tenant.id, person.sessionId)
    const comparison = deps.vault.compareDocument(tenant.id, document, session?.documentHash ?? null)
    if (comparison === 'equal') return 'equal'
    if (comparison === 'different') found = 'different'
  }
  return found
}
