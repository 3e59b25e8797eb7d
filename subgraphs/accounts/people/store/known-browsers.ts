import { executeIn, type Database, type Transaction } from '../../../../kernel/database.js'
import { removeOldRows } from '../../../../kernel/remove-old-rows.js'

/** A browser, by SHA-256, hex, of what its cookie holds, and an address. */
export interface AddressInBrowser {
  email: string
  browserHash: string
}

export type KnownBrowsersStore = ReturnType<typeof knownBrowsersStore>

/** In which browsers somebody has signed in with which address by a code, and when last. */
export function knownBrowsersStore({ pool }: Pick<Database, 'pool'>) {
  return {
    async note(em: Transaction, { email, browserHash }: AddressInBrowser, at: Date): Promise<void> {
      const sql = `insert into accounts.known_browser (email, browser_hash, signed_in_at) values (?, ?, ?::timestamptz)
        on conflict (email, browser_hash) do update set signed_in_at = excluded.signed_in_at`
      await executeIn(em, sql, [email, browserHash, at.toISOString()])
    },

    /** Whether somebody has signed in there since. A browser that is null is none. */
    async isKnown(em: Transaction, of: { email: string; browserHash: string | null }, since: Date): Promise<boolean> {
      const sql = `select 1 from accounts.known_browser
        where email = ? and browser_hash = ?::text and signed_in_at > ?::timestamptz`
      return (await executeIn(em, sql, [of.email, of.browserHash, since.toISOString()])).length > 0
    },

    async forget(before: Date): Promise<void> {
      const old = { table: 'accounts.known_browser', where: 'signed_in_at < $1::timestamptz' }
      await removeOldRows(pool, old, [before.toISOString()])
    },
  }
}
