import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn, type Database } from '../../../kernel/database.js'
import type { Clock } from '../../../kernel/clock.js'
import { removeOldRows } from '../../../kernel/remove-old-rows.js'
import type { Person } from './person.entity.js'

/** Wrong tries after which a code is dead. */
const ATTEMPTS_MAX = 5

/** What became of one try. */
export type OtpAttempt = { codeHash: string } | 'none' | 'expired' | 'exhausted'

/** Only the newest code counts: there is one row per person. */
const REPLACE = `insert into kyc.email_otp (tenant_id, person_id, code_hash, attempts, expires_at)
  values (?, ?, ?, 0, ?::timestamptz)
  on conflict (tenant_id, person_id) do update
    set code_hash = excluded.code_hash, attempts = 0, expires_at = excluded.expires_at`

/** One statement counts the try and gives the hash to compare with: without a row there is no try left. */
const TRY = `update kyc.email_otp set attempts = attempts + 1 where tenant_id = ? and person_id = ?
  and attempts < ${ATTEMPTS_MAX} and expires_at > ?::timestamptz returning code_hash as "codeHash"`

const STATE = `select attempts, expires_at <= ?::timestamptz as "isExpired" from kyc.email_otp
  where tenant_id = ? and person_id = ?`

const SENDS = `select count(*) filter (where sent_at > ?::timestamptz)::int as late, count(*)::int as day
  from kyc.email_otp_send where tenant_id = ? and person_id = ? and sent_at > ?::timestamptz`

export type EmailOtpsStore = ReturnType<typeof emailOtpsStore>

/** One-time codes, as keyed hashes only, and when they were sent. */
export function emailOtpsStore({ pool }: Database, clock: Clock) {
  const now = (): string => clock.now().toISOString()

  return {
    /** How many codes were sent to a person lately and in a day, in one statement. Only exact behind the person's lock. */
    async sends(
      em: EntityManager,
      { tenantId, id }: Person,
      windows: { lateMs: number; dayMs: number },
    ): Promise<{ late: number; day: number }> {
      const since = (ms: number): string => new Date(clock.now().getTime() - ms).toISOString()
      const values = [since(windows.lateMs), tenantId, id, since(windows.dayMs)]
      const [row] = await executeIn<{ late: number; day: number }>(em, SENDS, values)
      return row ?? { late: 0, day: 0 }
    },

    /** Makes a code the person's only one, and notes that it is sent. */
    async replace(em: EntityManager, { tenantId, id }: Person, codeHash: string, expiresAt: Date): Promise<void> {
      await executeIn(em, REPLACE, [tenantId, id, codeHash, expiresAt.toISOString()])
      const sql =
        'insert into kyc.email_otp_send (tenant_id, person_id, code_hash, sent_at) values (?, ?, ?, ?::timestamptz)'
      await executeIn(em, sql, [tenantId, id, codeHash, now()])
    },

    /** Takes back a code that could not be sent: it does not count. */
    async withdraw(em: EntityManager, { tenantId, id }: Person, codeHash: string): Promise<void> {
      for (const table of ['email_otp', 'email_otp_send'])
        await executeIn(em, `delete from kyc.${table} where tenant_id = ? and person_id = ? and code_hash = ?`, [
          tenantId,
          id,
          codeHash,
        ])
    },

    /** Takes one of the tries that a person's code has, before anything is compared. */
    async attempt(em: EntityManager, { tenantId, id }: Person): Promise<OtpAttempt> {
      const [taken] = await executeIn<{ codeHash: string }>(em, TRY, [tenantId, id, now()])
      if (taken) return taken
      const [state] = await executeIn<{ attempts: number; isExpired: boolean }>(em, STATE, [now(), tenantId, id])
      if (!state) return 'none'
      return state.isExpired ? 'expired' : 'exhausted'
    },

    /** Removes a code that was right: it is accepted once. */
    async consume(em: EntityManager, { tenantId, id }: Person): Promise<void> {
      await executeIn(em, 'delete from kyc.email_otp where tenant_id = ? and person_id = ?', [tenantId, id])
    },

    /** Removes sends of two days ago: the longest window of a limit is one day. */
    async removeOld(): Promise<void> {
      const before = new Date(clock.now().getTime() - 2 * 86_400_000).toISOString()
      await removeOldRows(pool, { table: 'kyc.email_otp_send', where: 'sent_at < $1::timestamptz' }, [before])
    },
  }
}
