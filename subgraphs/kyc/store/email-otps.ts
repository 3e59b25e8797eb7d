import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn, type Database } from '../../../kernel/database.js'
import type { Clock } from '../../../kernel/clock.js'
import { removeOldRows } from '../../../kernel/remove-old-rows.js'
import type { Person } from './person.entity.js'

/** Wrong tries after which a code is dead. */
const ATTEMPTS_MAX = 5
const DAY_MS = 86_400_000

/** What became of one try. */
export type OtpAttempt = { codeHash: string } | 'none' | 'expired' | 'exhausted'

/** Whose code it is, and for what: one that a payment's page asks for takes nothing of the one that the tenant itself does. */
export interface CodeOwner extends Pick<Person, 'tenantId' | 'id'> {
  /** The payment whose page asks; null where the tenant does. */
  paymentId: string | null
}

/** The statements on codes that are kept by some columns: only the newest counts, there is one row for each. */
function statementsOn(table: string, key: readonly string[]) {
  const columns = key.join(', ')
  const isIt = key.map((column) => `${column} = ?`).join(' and ')
  return {
    replace: `insert into ${table} (${columns}, code_hash, attempts, expires_at)
      values (${key.map(() => '?').join(', ')}, ?, 0, ?::timestamptz)
      on conflict (${columns}) do update set code_hash = excluded.code_hash, attempts = 0, expires_at = excluded.expires_at`,
    /** One statement counts the try and gives the hash to compare with: without a row there is no try left. */
    attempt: `update ${table} set attempts = attempts + 1 where ${isIt}
      and attempts < ${ATTEMPTS_MAX} and expires_at > ?::timestamptz returning code_hash as "codeHash"`,
    state: `select expires_at <= ?::timestamptz as "isExpired" from ${table} where ${isIt}`,
    consume: `delete from ${table} where ${isIt}`,
    withdraw: `delete from ${table} where ${isIt} and code_hash = ?`,
  }
}

const OF_TENANT = statementsOn('kyc.email_otp', ['tenant_id', 'person_id'])
const OF_PAGE = statementsOn('kyc.page_otp', ['tenant_id', 'person_id', 'payment_id'])

const SENDS = `select
    count(*) filter (where payment_id is not distinct from ?::text and sent_at > ?::timestamptz)::int as late,
    count(*) filter (where payment_id is not distinct from ?::text)::int as day,
    coalesce(sum(wrong_tries) filter (where payment_id is not distinct from ?::text), 0)::int as "wrongTries",
    count(payment_id)::int as pages
  from kyc.email_otp_send where tenant_id = ? and person_id = ? and sent_at > ?::timestamptz`

const NOTE_SEND = `insert into kyc.email_otp_send (tenant_id, person_id, payment_id, code_hash, sent_at)
  values (?, ?, ?, ?, ?::timestamptz)`

const NOTE_WRONG_TRY = `update kyc.email_otp_send set wrong_tries = wrong_tries + 1 where tenant_id = ? and person_id = ?
  and payment_id is not distinct from ?::text and code_hash = ?`

const WITHDRAW_SEND = `delete from kyc.email_otp_send where tenant_id = ? and person_id = ?
  and payment_id is not distinct from ?::text and code_hash = ?`

/**
 * How many codes were sent to a person for one purpose, lately and in a day, how many wrong ones were typed for those of the day, and how
 * many were sent in a day for all payments' pages together.
 */
interface OtpSends {
  late: number
  day: number
  wrongTries: number
  pages: number
}

export type EmailOtpsStore = ReturnType<typeof emailOtpsStore>

/** One-time codes, as keyed hashes only, and when they were sent. */
export function emailOtpsStore({ pool }: Database, clock: Clock) {
  const now = (): string => clock.now().toISOString()
  const before = (ms: number): string => new Date(clock.now().getTime() - ms).toISOString()
  const placeOf = ({ tenantId, id, paymentId }: CodeOwner) =>
    paymentId === null ? { sql: OF_TENANT, key: [tenantId, id] } : { sql: OF_PAGE, key: [tenantId, id, paymentId] }

  return {
    /** What was sent, in one statement. Only exact behind the person's lock. */
    async sends(
      em: EntityManager,
      { tenantId, id, paymentId }: CodeOwner,
      windows: { lateMs: number; dayMs: number },
    ): Promise<OtpSends> {
      const values = [paymentId, before(windows.lateMs), paymentId, paymentId, tenantId, id, before(windows.dayMs)]
      const [row] = await executeIn<OtpSends>(em, SENDS, values)
      return row ?? { late: 0, day: 0, wrongTries: 0, pages: 0 }
    },

    /** Makes a code the owner's only one, and notes that it is sent. */
    async replace(em: EntityManager, owner: CodeOwner, codeHash: string, expiresAt: Date): Promise<void> {
      const { tenantId, id, paymentId } = owner
      const { sql, key } = placeOf(owner)
      await executeIn(em, sql.replace, [...key, codeHash, expiresAt.toISOString()])
      await executeIn(em, NOTE_SEND, [tenantId, id, paymentId, codeHash, now()])
    },

    /** Takes back a code that certainly was not sent: it does not count. */
    async withdraw(em: EntityManager, owner: CodeOwner, codeHash: string): Promise<void> {
      const { tenantId, id, paymentId } = owner
      const { sql, key } = placeOf(owner)
      await executeIn(em, sql.withdraw, [...key, codeHash])
      await executeIn(em, WITHDRAW_SEND, [tenantId, id, paymentId, codeHash])
    },

    /** Takes one of the tries that an owner's code has, before anything is compared. */
    async attempt(em: EntityManager, owner: CodeOwner): Promise<OtpAttempt> {
      const { sql, key } = placeOf(owner)
      const [taken] = await executeIn<{ codeHash: string }>(em, sql.attempt, [...key, now()])
      if (taken) return taken
      const [state] = await executeIn<{ isExpired: boolean }>(em, sql.state, [now(), ...key])
      if (!state) return 'none'
      return state.isExpired ? 'expired' : 'exhausted'
    },

    /** Notes that the try was wrong, with the code that it was compared with. */
    async noteWrongTry(em: EntityManager, { tenantId, id, paymentId }: CodeOwner, codeHash: string): Promise<void> {
      await executeIn(em, NOTE_WRONG_TRY, [tenantId, id, paymentId, codeHash])
    },

    /** Removes a code that was right: it is accepted once. */
    async consume(em: EntityManager, owner: CodeOwner): Promise<void> {
      const { sql, key } = placeOf(owner)
      await executeIn(em, sql.consume, key)
    },

    /**
     * Removes sends of two days ago, as the longest window of a limit is one day, and what pages asked for and nobody typed. Of the
     * tenant's own codes the newest stays: it says that it has expired.
     */
    async removeOld(): Promise<void> {
      await removeOldRows(pool, { table: 'kyc.email_otp_send', where: 'sent_at < $1::timestamptz' }, [
        before(2 * DAY_MS),
      ])
      await removeOldRows(pool, { table: 'kyc.page_otp', where: 'expires_at < $1::timestamptz' }, [before(DAY_MS)])
    },
  }
}
