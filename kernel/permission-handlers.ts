import type { Clock } from './clock.js'
import { assertMay, assertScope, isOfPeople, RIGHTS, type Scope } from './permissions.js'
import type { Caller } from './tenant.js'

type Handler = (...args: unknown[]) => unknown
/** What resolvers are given; the clock is there where a field asks for a recent proof. */
interface Context {
  caller: Caller
  deps: { clock: Clock }
}

/**
 * Has root fields ask for permission before they run. A key without scopes pays two reads of a property for it.
 * @param handlers the resolvers of a root type by field, changed in place
 * @param isOwn whether a field is for other parts of the product only: those are let through
 */
export function askPermission(handlers: Record<string, unknown>, isOwn: (field: string) => boolean): void {
  for (const [field, handler] of Object.entries(handlers) as [string, Handler][]) {
    if (isOwn(field)) continue
    const isAsked = isOfPeople(RIGHTS[field])
    handlers[field] = (...args: unknown[]): unknown => {
      const { caller, deps } = args[2] as Context
      if (isAsked || caller.person !== undefined || caller.scopes != null)
        assertMay(caller, field, () => deps.clock.now())
      return handler(...args)
    }
  }
}

/** Has what a subgraph adds to objects, its own and others', ask for permission where another subgraph leads to them. */
export function askToRead<Reference, CallerContext extends { caller: Caller }>(
  resolve: (reference: Reference, context: CallerContext) => unknown,
  scope: Scope,
): (reference: Reference, context: CallerContext) => unknown {
  return (reference, context) => {
    assertScope(context.caller, scope)
    return resolve(reference, context)
  }
}
