import type { Envelope } from './envelope.js'
import type { Route } from './route.js'

/** The envelopes that were made of data which never changes, by the data and the route that shows it. */
const known = new WeakMap<object, Map<Route, { envelope: Envelope; text: string }>>()

/**
 * An answer's envelope. Of data that is frozen, as a subgraph keeps it (`kernel/compiled/keep-answers.ts`), it is made and
 * written once for each route. As a text: Node writes it and the headers at one go, and bytes by themselves.
 * @param make makes it; the data that it is given is its own, to be changed
 */
export function keptOrMade(
  route: Route,
  data: Record<string, unknown>,
  make: (data: Record<string, unknown>) => Envelope,
): { envelope: Envelope; text?: string } {
  if (!Object.isFrozen(data)) return { envelope: make(data) }
  // What a route takes from the request is another thing in each answer.
  if (route.insteadOf) return { envelope: make(structuredClone(data)) }
  const byRoute = known.get(data) ?? new Map<Route, { envelope: Envelope; text: string }>()
  known.set(data, byRoute)
  const found = byRoute.get(route)
  if (found) return found
  const envelope = make(structuredClone(data))
  const made = { envelope, text: JSON.stringify(envelope) }
  byRoute.set(route, made)
  return made
}
