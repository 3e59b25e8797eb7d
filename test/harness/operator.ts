import type { RequestContext } from '../../kernel/subgraph.js'
import type { Caller, Person } from '../../kernel/tenant.js'

/** An operator who is signed in at the console, as the gateway vouches for one. */
export function operatorContext(name = 'ana'): RequestContext {
  return contextOf({ tenantId: null, keyId: `session-${name}`, products: [], person: personOf(name, 'operator') })
}

/** Everybody else: the keys of a tenant and of the deployment, and the people of a tenant. */
export function otherCallers(tenantId: string): readonly Caller[] {
  return [
    { tenantId, keyId: 'key', products: [] },
    { tenantId: null, keyId: 'platform', products: [] },
    { tenantId, keyId: 'session-bob', products: [], person: personOf('bob', 'owner') },
    // A person of a tenant stays one, whatever a role says.
    { tenantId, keyId: 'session-eve', products: [], person: personOf('eve', 'operator') },
  ]
}

export function contextOf(caller: Caller): RequestContext {
  return { requestId: 'test', caller }
}

function personOf(name: string, role: Person['role']): Person {
  return { id: `cperson${name}`, email: `${name}@example.com`, role, provenAt: new Date().toISOString() }
}
