import { AppError } from '../../../kernel/errors.js'
import { newTenant } from '../domain/create-tenant.js'
import { makeIntegration } from '../domain/new-integration.js'
import { actorOfSession, openSession, type SessionHashes } from './change-session.js'
import type { PeopleDeps } from './deps.js'

/** How many tenants one person may own; more are for an operator to give. */
const OWNED_MAX = 10

type CreateOwnTenantDeps = Omit<PeopleDeps, 'codes' | 'newCode' | 'sendMail'>

/**
 * Makes a tenant that the person of a session owns, with its default integration and no key, and chooses it. It may use what
 * the deployment gives new tenants (in live no product, until an operator enables it), and what is no product: yield, with what it costs nodes.
 * @throws unauthorized, invalid_parameters where the name is empty or too long or the person owns ten
 */
export async function createOwnTenant(
  deps: CreateOwnTenantDeps,
  { hash, newHash }: SessionHashes,
  name: string,
): Promise<void> {
  const session = await openSession(deps, hash)
  const { personId } = session
  const tenant = newTenant(deps, { name, products: deps.settings.newTenantProducts })
  const { integration } = makeIntegration(deps, tenant.id, { webhookUrl: null, isDefault: true })
  await deps.transaction(async (em) => {
    await deps.people.lock(em, personId)
    if ((await deps.people.countOwned(em, personId)) >= OWNED_MAX) {
      throw new AppError('invalid_parameters', { message: `You own ${OWNED_MAX} tenants, and can own no more.` })
    }
    await deps.accounts.insertTenant(em, tenant, integration)
    await deps.people.join(em, { tenantId: tenant.id, personId, role: 'owner', now: deps.clock.now() })
    const isOpen = await deps.sessions.change(em, hash, { hash: newHash, tenantId: tenant.id })
    if (!isOpen) throw new AppError('unauthorized')
    await deps.writeAct(em, { ...actorOfSession(session, tenant.id), operation: 'createTenant', subjects: {} })
  })
}
