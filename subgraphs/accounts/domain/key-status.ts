import type { AccountsDeps } from '../deps.js'
import type { KeyStatus } from '../store/accounts.js'

/** What a key's hash gives access to now; null where the key is unknown, expired or revoked, or its tenant is disabled. */
export async function keyStatus(
  deps: Pick<AccountsDeps, 'accounts' | 'clock'>,
  { hash }: { hash: string },
): Promise<KeyStatus | null> {
  return (await deps.accounts.keyStatus(hash, deps.clock.now())) ?? null
}
