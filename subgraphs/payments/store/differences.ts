import type { EntityManager } from '@mikro-orm/postgresql'
import type { Clock } from '../../../kernel/clock.js'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import { addJob, type JobRequest } from '../../../kernel/jobs.js'
import { isBookedSince } from './booked-since.js'
import { nameOf, type RefundedPayout } from './refunded-payouts.js'

/** What may differ between our books and the world. */
export const DIFFERENCE_KINDS = {
  unmatched_money: 'A provider has received money that belongs to no charge of ours.',
  missing_receipt: 'A provider shows money for a charge of ours that is not booked.',
  wrong_amount: 'A provider shows money for a charge of ours with another amount than is booked.',
  unknown_receipt: 'A provider does not show what we have booked as received.',
  unbooked_refund: 'Money went back at the provider and not in our books.',
  missing_refund: 'Money went back in our books and not at the provider.',
  unknown_transfer: 'The treasury has moved something in a transaction that is not ours.',
  paid_twice: 'A receiver got a payout a second time.',
  held_deposit:
    "Something lies at a payment's own address and the payment does not take it; found when it comes, not by a comparison.",
  payout_missing: 'A payout that was booked is not on its chain.',
  wrong_fee:
    'A transaction has cost something else than is booked, or a provider keeps more of a charge than was agreed.',
  wrong_balance: 'An account holds something else than the ledger says.',
} as const
export type DifferenceKind = keyof typeof DIFFERENCE_KINDS

/** Something that differs. */
export interface Difference {
  kind: DifferenceKind
  /** What it is about: one row for each kind and subject. */
  subject: string
  /** Which reconciliation finds it, e.g. `chain:polygon`; that one closes it when it is gone. */
  scope: string
  /** By our books, and by the world: decimal strings. */
  expected?: string | undefined
  actual?: string | undefined
  currency?: string | undefined
  details?: string | undefined
  /** What a transfer has paid, as far as is known: it explains no other one. */
  refundedPayout?: RefundedPayout | undefined
}

/** A difference as it stands. */
export interface StoredDifference extends Record<string, unknown> {
  id: string
  kind: DifferenceKind
  subject: string
  expected: string | null
  actual: string | null
  currency: string | null
  details: string | null
  foundAt: string
  closedAt: string | null
  reason: string | null
}

/**
 * One that an operator has resolved stays closed as long as it shows the same; one that was gone is open again. A balance was
 * corrected when it was resolved, so that one that is wrong again is another difference. Who has closed the alert alone has explained nothing.
 * `was_told` is read before the row is changed: a statement that has changed a row locks it no more, and would not see it.
 */
const REPORT = `with known as (select * from payments.difference where kind = ? and subject = ? for update),
  given as (select ?::text as kind, ?::text as subject, ?::text as scope, ?::text as expected, ?::text as actual,
    ?::text as currency, ?::text as details, ?::text as refunded_payout, ?::timestamptz as at),
  before as materialized (select exists (select from known where closed_at is null
    and expected is not distinct from given.expected and actual is not distinct from given.actual) as was_told from given)
  insert into payments.difference as one (kind, subject, scope, expected, actual, currency, details, refunded_payout, found_at, seen_at)
  select kind, subject, scope, expected, actual, currency, details, refunded_payout, at, at from given, before
  on conflict (kind, subject) do update set seen_at = excluded.seen_at, scope = excluded.scope,
    expected = excluded.expected, actual = excluded.actual, details = excluded.details,
    refunded_payout = coalesce(excluded.refunded_payout, one.refunded_payout),
    found_at = case when one.closed_at is null then one.found_at else excluded.found_at end,
    closed_at = null, reason = null
  where one.reason is null or one.kind = 'wrong_balance' or one.expected is distinct from excluded.expected or one.actual is distinct from excluded.actual
  returning not (select was_told from before) or not exists (select from payments.operator_alert as alert
    where alert.kind = 'books_differ' and alert.subject = one.kind || ':' || one.subject and alert.closed_at is null) as opened`

const CLOSE_UNSEEN = `update payments.difference set closed_at = ?::timestamptz
  where scope = ? and closed_at is null and seen_at < ?::timestamptz returning kind, subject`

const CLOSE = `update payments.difference set closed_at = ?::timestamptz
  where kind = ? and subject = ? and closed_at is null returning kind, subject`

const RESOLVE = `update payments.difference set closed_at = ?::timestamptz, reason = ?
  where id = ?::bigint and closed_at is null returning kind, subject, scope, expected, actual, currency,
    (extract(epoch from found_at) * 1000)::bigint::text as "foundMs", seen_at::text as "seenAt"`

/** By a statement of its own: one sees what was committed before it began, and not what it has waited for. */
const LOCK = 'select 1 from payments.difference where kind = ? and subject = ? for update'

const CLOSE_ALERT = `update payments.operator_alert set closed_at = ?::timestamptz, closed_by = ?, reason = ?
  where kind = 'books_differ' and subject = ? and closed_at is null`

/** Debits less credits of suspense: above 0 what was explained as having come. Of all lines it reads the explained ones. */
export const EXPLAINED = `select trim_scale(coalesce(sum(line.debit - line.credit), 0))::text as amount
  from payments.difference as one join payments.ledger_line as line on line.tenant_id = '-' and line.payment_id = '-'
    and line.entry like 'explained:%' and starts_with(line.entry, 'explained:' || one.id || ':') and line.account like 'suspense:%'
  where one.kind = ? and one.subject = ?`

const FIND_OPEN = `select id::text as id from payments.difference
  where subject = ? and kind in ('unknown_transfer', 'paid_twice') and closed_at is null limit 1`

const TRANSFER_KINDS = `select kind, closed_at is null as "isOpen" from payments.difference
  where subject = ? and kind in ('unknown_transfer', 'paid_twice')`

const OPEN_OF = 'select kind, subject from payments.difference where scope = ? and closed_at is null'

const COLUMNS = `id::text, kind, subject, expected, actual, currency, details, found_at as "foundAt",
    closed_at as "closedAt", reason`

const LIST = `select ${COLUMNS}
  from payments.difference where closed_at is null or ?::boolean order by id desc limit ?`

const PAGE = `select ${COLUMNS} from payments.difference where (?::boolean is null or (closed_at is null) = ?)
    and (?::bigint is null or id < ?) order by id desc limit ?`

/** A difference that an operator has just resolved. */
export type ResolvedDifference = Pick<Difference, 'kind' | 'subject' | 'scope' | 'expected' | 'actual' | 'currency'> & {
  /** When it was found, in milliseconds: one that was resolved may come again, under the same id. */
  foundMs: string
  /** When a comparison saw it the last time. */
  seenAt: string
}

/** What a transfer of a treasury was called that no payment explains. */
export interface KnownTransfer extends Record<string, unknown> {
  kind: 'unknown_transfer' | 'paid_twice'
  isOpen: boolean
}

/** What differs between our books and the world: found by reconciliations, told as alerts, closed when it is gone. */
export function differencesStore(db: Database, clock: Clock) {
  return {
    /** Writes down what differs. @param alert tells an operator, with the commit, of one that shows what it has not before, or that no alert is open of */
    report: async (em: EntityManager, found: Difference, alert: (subject: string) => JobRequest): Promise<boolean> => {
      const { kind, subject, scope, expected = null, actual = null, currency = null, details = null } = found
      const payout = found.refundedPayout ? nameOf(found.refundedPayout) : null
      const values = [kind, subject, scope, expected, actual, currency, details, payout, clock.now().toISOString()]
      const [row] = await executeIn<{ opened: boolean }>(em, REPORT, [kind, subject, ...values])
      if (row?.opened) await addJob(em, clock, alert(`${kind}:${subject}`))
      return row?.opened === true
    },
    /** Closes what a whole reconciliation that began at this time has not seen any more, with the alerts. */
    closeUnseen: (scope: string, since: Date): Promise<number> =>
      inTransaction(db, async (em) => {
        const at = clock.now().toISOString()
        const values = [at, scope, since.toISOString()]
        return closeAlerts(em, await executeIn<Pick<Difference, 'kind' | 'subject'>>(em, CLOSE_UNSEEN, values), { at })
      }),
    /** Closes one that is known to be gone. */
    close: async (em: EntityManager, kind: DifferenceKind, subject: string): Promise<void> => {
      const at = clock.now().toISOString()
      await closeAlerts(em, await executeIn(em, CLOSE, [at, kind, subject]), { at })
    },
    /** Closes one for a person's reason. @returns undefined where none of this id is open */
    resolve: async (
      em: EntityManager,
      id: string,
      { by, reason }: { by: string; reason: string },
    ): Promise<ResolvedDifference | undefined> => {
      const at = clock.now().toISOString()
      const [row] = await executeIn<ResolvedDifference>(em, RESOLVE, [at, reason, id])
      if (row) await closeAlerts(em, [row], { at, by, reason })
      return row
    },
    isBookedSince,
    /**
     * What people have explained of it until now, however often it was found; a decimal string, below 0 with a sign. Nobody resolves it from
     * now until the transaction ends: who is about to is waited for, and what he books is counted.
     */
    explained: async (em: EntityManager, kind: DifferenceKind, subject: string): Promise<string> => {
      await executeIn(em, LOCK, [kind, subject])
      return (await executeIn<{ amount: string }>(em, EXPLAINED, [kind, subject]))[0]?.amount ?? '0'
    },
    /** The id of the open difference about a transfer of a treasury; undefined where there is none. */
    findTransfer: async (em: EntityManager, subject: string): Promise<string | undefined> =>
      (await executeIn<{ id: string }>(em, FIND_OPEN, [subject]))[0]?.id,
    /** What a transfer of a treasury was called until now, open or not: money stands in suspense for it once. */
    transferKinds: (subject: string): Promise<KnownTransfer[]> =>
      inTransaction(db, (em) => executeIn<KnownTransfer>(em, TRANSFER_KINDS, [subject])),
    /** Those that are open of a scope, as `kind:subject`. */
    openOf: (scope: string): Promise<Set<string>> =>
      inTransaction(db, async (em) => {
        const rows = await executeIn<Pick<Difference, 'kind' | 'subject'>>(em, OPEN_OF, [scope])
        return new Set(rows.map(({ kind, subject }) => `${kind}:${subject}`))
      }),
    /** The newest first. */
    list: ({ isClosedToo, limit }: { isClosedToo: boolean; limit: number }): Promise<StoredDifference[]> =>
      inTransaction(db, (em) => executeIn<StoredDifference>(em, LIST, [isClosedToo, limit])),
    /** The newest first. @param after only those with lower ids */
    page: (isOpen: boolean | null, after: string | null, limit: number): Promise<StoredDifference[]> =>
      inTransaction(db, (em) => executeIn<StoredDifference>(em, PAGE, [isOpen, isOpen, after, after, limit])),
  }
}

/** Closes the alerts of differences; without a person they close by themselves. */
async function closeAlerts(
  em: EntityManager,
  closed: readonly Pick<Difference, 'kind' | 'subject'>[],
  { at, by = null, reason = null }: { at: string; by?: string | null; reason?: string | null },
): Promise<number> {
  for (const { kind, subject } of closed) await executeIn(em, CLOSE_ALERT, [at, by, reason, `${kind}:${subject}`])
  return closed.length
}
