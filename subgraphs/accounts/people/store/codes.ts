import { executeIn, run, type Database, type Transaction } from '../../../../kernel/database.js'
import { removeOldRows } from '../../../../kernel/remove-old-rows.js'

/** What a code is for: to sign in, or to prove again who is signed in. */
export type CodePurpose = 'sign-in' | 'prove'

/** Whose code it is: an address needs no person yet. */
export interface CodeOwner {
  email: string
  purpose: CodePurpose
}

/** Wrong tries after which a code is dead. */
const ATTEMPTS_MAX = 5

/** Only the newest code counts. The row is locked until the end of the transaction, so racing sends are counted in turn. */
const REPLACE = `insert into accounts.sign_in_code (email, purpose, code_hash, attempts, expires_at)
  values (?, ?, ?, 0, ?::timestamptz)
  on conflict (email, purpose) do update
    set code_hash = excluded.code_hash, attempts = 0, expires_at = excluded.expires_at`

const SENDS = `select count(*) filter (where sent_at > ?::timestamptz)::int as late, count(*)::int as day
  from accounts.sign_in_code_send where email = ? and purpose = ? and sent_at > ?::timestamptz`

/** One statement counts the try and gives the hash to compare with: without a row there is no try left. */
const TRY = {
  name: 'sign_in_code_try',
  text: `update accounts.sign_in_code set attempts = attempts + 1 where email = $1 and purpose = $2
    and attempts < ${ATTEMPTS_MAX} and expires_at > $3::timestamptz returning code_hash as "codeHash"`,
}

export type CodesStore = ReturnType<typeof codesStore>

/** One-time codes, as keyed hashes only, and when they were sent. */
export function codesStore(db: Database) {
  return {
    async replace(em: Transaction, { email, purpose }: CodeOwner, codeHash: string, expiresAt: Date): Promise<void> {
      await executeIn(em, REPLACE, [email, purpose, codeHash, expiresAt.toISOString()])
    },

    /** How many codes of a purpose an address was sent since two moments. Only exact behind `replace`. */
    async sends(
      em: Transaction,
      { email, purpose }: CodeOwner,
      since: { late: Date; day: Date },
    ): Promise<Record<'late' | 'day', number>> {
      const values = [since.late.toISOString(), email, purpose, since.day.toISOString()]
      const [row] = await executeIn<{ late: number; day: number }>(em, SENDS, values)
      return row ?? { late: 0, day: 0 }
    },

    async noteSend(em: Transaction, { email, purpose }: CodeOwner, codeHash: string, at: Date): Promise<void> {
      const sql = `insert into accounts.sign_in_code_send (email, purpose, code_hash, sent_at)
        values (?, ?, ?, ?::timestamptz)`
      await executeIn(em, sql, [email, purpose, codeHash, at.toISOString()])
    },

    /** Takes back a code that could not be sent: it does not count. */
    async withdraw(em: Transaction, email: string, codeHash: string): Promise<void> {
      for (const table of ['sign_in_code', 'sign_in_code_send'])
        await executeIn(em, `delete from accounts.${table} where email = ? and code_hash = ?`, [email, codeHash])
    },

    /** Takes one of the tries that a code has, before anything is compared; undefined where none is left. */
    async attempt({ email, purpose }: CodeOwner, now: Date): Promise<string | undefined> {
      const [row] = await run<{ codeHash: string }>(db.pool, TRY, [email, purpose, now.toISOString()])
      return row?.codeHash
    },

    /** Removes a code that was right. @returns false where it is gone: it is accepted once */
    async consume(em: Transaction, { email, purpose }: CodeOwner, codeHash: string): Promise<boolean> {
      const sql = 'delete from accounts.sign_in_code where email = ? and purpose = ? and code_hash = ? returning email'
      return (await executeIn(em, sql, [email, purpose, codeHash])).length > 0
    },

    /** Removes what is older than any limit counts. */
    async forget(before: Date): Promise<void> {
      const at = [before.toISOString()]
      await removeOldRows(db.pool, { table: 'accounts.sign_in_code', where: 'expires_at < $1::timestamptz' }, at)
      await removeOldRows(db.pool, { table: 'accounts.sign_in_code_send', where: 'sent_at < $1::timestamptz' }, at)
    },
  }
}
