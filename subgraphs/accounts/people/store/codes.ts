import { executeIn, run, runIn, type Database, type Transaction } from '../../../../kernel/database.js'
import { removeOldRows } from '../../../../kernel/remove-old-rows.js'

/** What a code is for: to sign in, or to prove again who is signed in. */
export type CodePurpose = 'sign-in' | 'prove'

/** Whose code it is: an address needs no person yet. */
export interface CodeOwner {
  email: string
  purpose: CodePurpose
  /**
   * SHA-256, hex, of what the cookie of the browser holds that asks for a code to sign in: what others ask for or type takes nothing of
   * its code. Null for a code to prove, which only a session asks for, and with a gateway of the version before.
   */
  browserHash: string | null
}

/** Who had a code sent, as far as limits count it. */
export interface CodeAsker {
  askedFrom: string
  /** Whether it may be anybody. */
  isStrange: boolean
}

/** How many codes of a purpose an address was sent: to one asker of late and in a day, and in a day to strangers together. */
export interface CodeSends {
  late: number
  day: number
  strange: number
}

/** Wrong tries after which a code is dead. */
const ATTEMPTS_MAX = 5

/** The statements on codes that are kept by two columns: only the newest counts, there is one row for each. */
function statementsOn(table: string, key: readonly [string, string]) {
  const columns = key.join(', ')
  const isIt = key.map((column) => `${column} = ?`).join(' and ')
  return {
    replace: `insert into ${table} (${columns}, code_hash, attempts, expires_at) values (?, ?, ?, 0, ?::timestamptz)
      on conflict (${columns}) do update
        set code_hash = excluded.code_hash, attempts = 0, expires_at = excluded.expires_at`,
    /** One statement counts the try and gives the hash to compare with: without a row there is no try left. */
    attempt: {
      name: `${table}_try`,
      text: `update ${table} set attempts = attempts + 1 where ${key[0]} = $1 and ${key[1]} = $2
        and attempts < ${ATTEMPTS_MAX} and expires_at > $3::timestamptz returning code_hash as "codeHash"`,
    },
    remove: `delete from ${table} where ${isIt} and code_hash = ? returning email`,
  }
}

const OF_PURPOSE = statementsOn('accounts.sign_in_code', ['email', 'purpose'])
const OF_BROWSER = statementsOn('accounts.browser_code', ['email', 'browser_hash'])

const LOCK = { name: 'sign_in_code_lock', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' }

const SENDS = `select count(*) filter (where asked_from = ? and sent_at > ?::timestamptz)::int as late,
    count(*) filter (where asked_from = ?)::int as day, count(*) filter (where is_strange)::int as strange
  from accounts.sign_in_code_send where email = ? and purpose = ? and sent_at > ?::timestamptz`

export type CodesStore = ReturnType<typeof codesStore>

/** One-time codes, as keyed hashes only, and when they were sent. */
export function codesStore(db: Database) {
  const placeOf = ({ email, purpose, browserHash }: CodeOwner) =>
    browserHash === null ? { sql: OF_PURPOSE, key: [email, purpose] } : { sql: OF_BROWSER, key: [email, browserHash] }

  return {
    /** Lets one transaction at a time have a code sent to an address, whoever asks: what was sent is counted in turn. */
    async lock(em: Transaction, { email, purpose }: CodeOwner): Promise<void> {
      await runIn(em, LOCK, [`code:${purpose}:${email}`])
    },

    async replace(em: Transaction, owner: CodeOwner, codeHash: string, expiresAt: Date): Promise<void> {
      const { sql, key } = placeOf(owner)
      await executeIn(em, sql.replace, [...key, codeHash, expiresAt.toISOString()])
    },

    /** How many codes of a purpose an address was sent since two moments. Only exact behind `lock`. */
    async sends(
      em: Transaction,
      { email, purpose }: CodeOwner,
      { askedFrom }: CodeAsker,
      since: { late: Date; day: Date },
    ): Promise<CodeSends> {
      const values = [askedFrom, since.late.toISOString(), askedFrom, email, purpose, since.day.toISOString()]
      const [row] = await executeIn<CodeSends>(em, SENDS, values)
      return row ?? { late: 0, day: 0, strange: 0 }
    },

    async noteSend(
      em: Transaction,
      { email, purpose }: CodeOwner,
      { askedFrom, isStrange }: CodeAsker,
      { codeHash, at }: { codeHash: string; at: Date },
    ): Promise<void> {
      const sql = `insert into accounts.sign_in_code_send (email, purpose, asked_from, is_strange, code_hash, sent_at)
        values (?, ?, ?, ?, ?, ?::timestamptz)`
      await executeIn(em, sql, [email, purpose, askedFrom, isStrange, codeHash, at.toISOString()])
    },

    /** Takes back a code that certainly was not sent: it does not count. */
    async withdraw(em: Transaction, owner: CodeOwner, codeHash: string): Promise<void> {
      const { sql, key } = placeOf(owner)
      await executeIn(em, sql.remove, [...key, codeHash])
      const sends = 'delete from accounts.sign_in_code_send where email = ? and purpose = ? and code_hash = ?'
      await executeIn(em, sends, [owner.email, owner.purpose, codeHash])
    },

    /** Takes one of the tries that a code has, before anything is compared; undefined where none is left. */
    async attempt(owner: CodeOwner, now: Date): Promise<string | undefined> {
      const { sql, key } = placeOf(owner)
      const [row] = await run<{ codeHash: string }>(db.pool, sql.attempt, [...key, now.toISOString()])
      return row?.codeHash
    },

    /** Removes a code that was right. @returns false where it is gone: it is accepted once */
    async consume(em: Transaction, owner: CodeOwner, codeHash: string): Promise<boolean> {
      const { sql, key } = placeOf(owner)
      return (await executeIn(em, sql.remove, [...key, codeHash])).length > 0
    },

    /** Removes what is older than any limit counts. */
    async forget(before: Date): Promise<void> {
      const at = [before.toISOString()]
      for (const table of ['accounts.sign_in_code', 'accounts.browser_code'])
        await removeOldRows(db.pool, { table, where: 'expires_at < $1::timestamptz' }, at)
      await removeOldRows(db.pool, { table: 'accounts.sign_in_code_send', where: 'sent_at < $1::timestamptz' }, at)
    },
  }
}
