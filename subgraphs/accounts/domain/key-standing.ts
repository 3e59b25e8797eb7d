import type { AccountsDeps } from '../deps.js'
import type { KeyStanding } from '../store/accounts.js'

/** What a key's hash gives access to now; null where the key is unknown, expired or revoked. */
export async function keyStanding(
  deps: Pick<AccountsDeps, 'accounts' | 'clock'>,
  { hash }: { hash: string },
): Promise<KeyStanding | null> {
  return (await deps.accounts.standing(hash, deps.clock.now())) ?? null
}
