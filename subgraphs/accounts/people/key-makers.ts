import type { ApiKey } from '../store/api-key.entity.js'
import type { PeopleDeps } from './deps.js'

/** Who made a key at the console. */
export interface KeyMaker {
  personId: string
  email: string
}

/** A key with who made it; null where that was the command line. */
export type MadeKey = Omit<ApiKey, 'createdBy'> & { createdBy: KeyMaker | null }

/** Adds to keys who made them, by one read. */
export async function withMakers(deps: Pick<PeopleDeps, 'people'>, keys: readonly ApiKey[]): Promise<MadeKey[]> {
  const ids = keys.flatMap(({ createdBy }) => createdBy ?? [])
  const emails = await deps.people.emailsOf([...new Set(ids)])
  return keys.map((key) => ({ ...key, createdBy: makerOf(key.createdBy ?? null, emails) }))
}

function makerOf(id: string | null, emails: ReadonlyMap<string, string>): KeyMaker | null {
  const email = id === null ? undefined : emails.get(id)
  return id === null || email === undefined ? null : { personId: id, email }
}
