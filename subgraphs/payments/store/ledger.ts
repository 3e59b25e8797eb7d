import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn, inTransaction, runIn, type Database } from '../../../kernel/database.js'
import {
  BANK,
  BY_BANK,
  GAS_REVENUE,
  REFUND_BALANCE,
  TENANT,
  type LedgerEntry,
  type Money,
} from '../model/ledger-entries.js'
import { ACCOUNT_SUMS, BALANCE_CHECKS, CLOSED_CHECK, LEDGER_CHECKS } from './ledger-checks.js'
import { closeLedger, readFence, readFenceIn, type LedgerFence } from './ledger-close.js'

/** What an account of the ledger holds in a currency: debits less credits; a decimal string, below 0 with a sign. */
export interface AccountBalance {
  account: string
  currency: string
  balance: string
}

/** Of entries that are numbered, see `sumOfNumbered`. */
export interface NumberedSum extends Record<string, unknown> {
  amount: string
  entries: number
}

/** A payment that has left its tenant owing, and in what. */
export interface Debt extends Record<string, unknown> {
  tenantId: string
  paymentId: string
  currency: string
}

/** Entries of one payment. */
export interface Booking {
  about: { tenantId: string; paymentId: string; at: Date }
  entries: readonly LedgerEntry[]
}

/** A bank transfer that was booked: by what name, and for which payment. */
export interface BookedTransfer extends Money {
  entry: string
  paymentId: string
}

/** The double-entry ledger: written in the transaction of the change that it tells of, never changed. */
export interface LedgerStore {
  /**
   * Writes entries down. The database refuses one that does not balance, and one that is there already: a second booking of
   * the same movement is a mistake, and its transaction fails whole.
   */
  book: (
    em: EntityManager,
    about: { tenantId: string; paymentId: string; at: Date },
    ...entries: readonly LedgerEntry[]
  ) => Promise<void>
  /** The same for several payments, by one statement. */
  bookAll: (em: EntityManager, booked: readonly Booking[]) => Promise<void>
  /** Books an entry in a transaction of its own, unless it is there. @returns false where it is */
  bookOnce: (
    about: { tenantId: string; paymentId: string; at: Date },
    entry: LedgerEntry,
    /** In the same transaction. */
    also?: (em: EntityManager) => Promise<void>,
  ) => Promise<boolean>
  /** A transaction for what books by itself. */
  transaction: <T>(work: (em: EntityManager) => Promise<T>) => Promise<T>
  /** What has left a chain's account for a transaction's versions in fees, a decimal string, and in how many entries. */
  feesOf: (
    em: EntityManager,
    of: { tenantId: string; paymentId: string; hashes: readonly string[]; account: string },
  ) => Promise<{ fee: string; entries: number }>
  /** Whether a tenant was to bear the gas of a transaction, by any of its versions. */
  hasGasRecovery: (
    em: EntityManager,
    of: { tenantId: string; paymentId: string; hashes: readonly string[] },
  ) => Promise<boolean>
  /**
   * What a tenant has set aside for refunds, a decimal string. Nobody else spends it, or reads it to spend it, before the
   * transaction ends.
   */
  lockRefundBalance: (em: EntityManager, of: { tenantId: string; currency: string }) => Promise<string>
  isBooked: (em: EntityManager, of: { tenantId: string; paymentId: string; entry: string }) => Promise<boolean>
  /** A transfer of a tenant's bank, as it was booked, for whatever; under `lockRefundBalance`, which keeps a second one out. */
  findTransfer: (em: EntityManager, of: { tenantId: string; reference: string }) => Promise<BookedTransfer | undefined>
  /**
   * What a payment has left its tenant owing us in a currency, with what is on its way back to payers and will be; a decimal string,
   * below 0 with a sign where the tenant is owed. What was changed by the unit of work has to be flushed.
   */
  owedOf: (em: EntityManager, of: { tenantId: string; paymentId: string; currency: string }) => Promise<string>
  /** What a tenant owes of the gas of its payouts that it bears, in a chain's coin, over all of its payments; a decimal string. */
  gasOwed: (em: EntityManager, of: { tenantId: string; currency: string }) => Promise<string>
  /**
   * Debts of tenants that have set something aside in their currency, of one tenant or of all: a thousand at most.
   * @param after the last one of those that were read before
   */
  debts: (of: { tenantId?: string | undefined; after?: Debt | undefined }) => Promise<Debt[]>
  /**
   * What entries have moved to an account whose names are a text and a number from 1 on: debits less credits, a decimal string,
   * below 0 with a sign; and how many there are.
   */
  sumOfNumbered: (
    em: EntityManager,
    of: { tenantId: string; paymentId: string; name: string; account: string },
  ) => Promise<NumberedSum>
  /** Where the ledger is closed. */
  fence: () => Promise<LedgerFence>
  /** Closes it up to a time, see `ledger-close.ts`. */
  close: (to: Date) => Promise<LedgerFence>
  balances: (tenantId?: string) => Promise<AccountBalance[]>
  /**
   * What is wrong between ledger and payments; nothing where all is well. Only what was booked since the last close is read,
   * unless all is asked for.
   */
  findDiscrepancies: (options?: { isAll?: boolean }) => Promise<string[]>
}

/** The statement that books, or the last part of one; its parameter takes `givenLines`. */
export const BOOK_GIVEN = (
  parameter: string,
): string => `insert into payments.ledger_line (tenant_id, payment_id, entry, line, account, currency, debit, credit, created_at)
  select tenant_id, payment_id, entry, line, account, currency, debit, credit, at from json_to_recordset(${parameter}::json)
    as given (tenant_id text, payment_id text, at timestamptz, entry text, line int, account text, currency text,
      debit numeric, credit numeric)`

const BOOK = { name: 'ledger_book', text: BOOK_GIVEN('$1') }

const FEES_OF = `select trim_scale(coalesce(sum(credit - debit), 0))::text as fee, count(*)::int as entries
  from payments.ledger_line where tenant_id = ? and payment_id = ? and account = ? and entry like 'fee:%'
    and split_part(entry, ':', 2) in (select json_array_elements_text(?::json))`

/** One after the other by their names, which the primary key finds, up to the first that is not there: there may be any number. */
const SUM_OF_NUMBERED = `with recursive numbered (place, amount) as (
    select 0, 0::numeric
    union all select numbered.place + 1, line.debit - line.credit
      from numbered join payments.ledger_line as line on line.tenant_id = ? and line.payment_id = ? and line.account = ?
        and line.entry = ?::text || (numbered.place + 1))
  select trim_scale(sum(amount))::text as amount, max(place) as entries from numbered`

const OWED_OF = `select trim_scale((select coalesce(sum(debit - credit), 0) from payments.ledger_line
      where tenant_id = ? and payment_id = ? and account = '${TENANT}' and currency = ?)
    + (select coalesce(sum(returned.amount::numeric), 0) from payments.receipt as receipt
      join payments.receipt_return as returned on returned.tenant_id = receipt.tenant_id and returned.rail = receipt.rail
        and returned.receipt_id = receipt.id
      where receipt.tenant_id = ? and receipt.payment_id = ? and receipt.currency = ? and returned.origin = 'service'
        and returned.status not in ('done', 'refused')))::text as owed`

/** What an account holds, by tenant. */
const sumsOf = (account: string): string => `select tenant_id, currency, debit, credit from payments.ledger_balance
    where account = '${account}'
  union all select tenant_id, currency, debit, credit from payments.ledger_line
    where account = '${account}' and created_at >= (select balanced_to from payments.ledger_fence)`

/** The condition on the account is that of a partial index. */
const REFUND_BALANCES = sumsOf(REFUND_BALANCE)

/** What was recovered, less what was paid of it: that is of no payment. */
const GAS_OWED = `select trim_scale((select coalesce(sum(credit - debit), 0) from (${sumsOf(GAS_REVENUE)}) as recovered
      where tenant_id = ? and currency = ?)
    - (select coalesce(sum(credit - debit), 0) from payments.ledger_line where tenant_id = ? and payment_id = '-'
      and entry like 'debt-paid:%' and account = '${TENANT}' and currency = ?))::text as owed`

const DEBTS = `select receipt.tenant_id as "tenantId", receipt.payment_id as "paymentId", receipt.currency
  from payments.receipt_return as returned join payments.receipt as receipt on receipt.tenant_id = returned.tenant_id
    and receipt.rail = returned.rail and receipt.id = returned.receipt_id
  where returned.origin = 'provider' and returned.status = 'done' and (?::text is null or returned.tenant_id = ?)
    and (receipt.tenant_id, receipt.payment_id, receipt.currency) > (?, ?, ?)
    and (receipt.tenant_id, receipt.currency) in (select tenant_id, currency from (${REFUND_BALANCES}) as held
      group by tenant_id, currency having sum(credit - debit) > 0)
  group by 1, 2, 3 having (select coalesce(sum(line.debit - line.credit), 0) from payments.ledger_line as line
    where line.tenant_id = receipt.tenant_id and line.payment_id = receipt.payment_id and line.account = '${TENANT}'
      and line.currency = receipt.currency) > 0
  order by 1, 2, 3 limit 1000`

const HAS_GAS_RECOVERY = `select 1 from payments.ledger_line where tenant_id = ? and payment_id = ?
  and entry in (select 'gas:' || json_array_elements_text(?::json)) limit 1`

const BALANCES = `select account, currency, trim_scale(sum(debit - credit))::text as balance from (${ACCOUNT_SUMS}) as held
  where ?::text is null or tenant_id = ? group by account, currency order by account, currency`

const EVER = '-infinity'

const LOCK_REFUND_BALANCE = `select pg_advisory_xact_lock(hashtextextended('refunds:' || ?::text, 0))`

const REFUND_BALANCE_OF = `select trim_scale(coalesce(sum(credit - debit), 0))::text as balance
  from (${REFUND_BALANCES}) as held where tenant_id = ? and currency = ?`

const IS_BOOKED = `select 1 as booked from payments.ledger_line where tenant_id = ? and payment_id = ? and entry = ? limit 1`

/** The condition on the account is that of a partial index. */
const FIND_TRANSFER = `select entry, payment_id as "paymentId", currency, trim_scale(debit + credit)::text as amount from payments.ledger_line where account = '${BANK}' and tenant_id = ?
  and entry in (select json_array_elements_text(?::json)) limit 1`

/** The ledger in the schema of payments: lines are only ever added. */
export function ledgerStore(db: Database): LedgerStore {
  return {
    book: (em, about, ...entries) => bookAll(em, [{ about, entries }]),
    bookAll,
    transaction: (work) => inTransaction(db, work),
    bookOnce: (about, entry, also) =>
      inTransaction(db, async (em) => {
        const booked = await executeIn(em, IS_BOOKED, [about.tenantId, about.paymentId, entry.entry])
        if (booked.length > 0) return false
        await bookAll(em, [{ about, entries: [entry] }])
        await also?.(em)
        return true
      }),
    feesOf: async (em, { tenantId, paymentId, hashes, account }) => {
      const values = [tenantId, paymentId, account, JSON.stringify(hashes)]
      const [row] = await executeIn<{ fee: string; entries: number }>(em, FEES_OF, values)
      return row ?? { fee: '0', entries: 0 }
    },
    hasGasRecovery: async (em, { tenantId, paymentId, hashes }) =>
      (await executeIn(em, HAS_GAS_RECOVERY, [tenantId, paymentId, JSON.stringify(hashes)])).length > 0,
    sumOfNumbered: async (em, { tenantId, paymentId, name, account }) => {
      const [row] = await executeIn<NumberedSum>(em, SUM_OF_NUMBERED, [tenantId, paymentId, account, name])
      return row ?? { amount: '0', entries: 0 }
    },
    lockRefundBalance: async (em, { tenantId, currency }) => {
      await executeIn(em, LOCK_REFUND_BALANCE, [tenantId])
      const [row] = await executeIn<{ balance: string }>(em, REFUND_BALANCE_OF, [tenantId, currency])
      return row?.balance ?? '0'
    },
    owedOf: async (em, { tenantId, paymentId, currency }) => {
      const of = [tenantId, paymentId, currency]
      const [row] = await executeIn<{ owed: string }>(em, OWED_OF, [...of, ...of])
      return row?.owed ?? '0'
    },
    gasOwed: async (em, { tenantId, currency }) => {
      const [row] = await executeIn<{ owed: string }>(em, GAS_OWED, [tenantId, currency, tenantId, currency])
      return row?.owed ?? '0'
    },
    debts: ({ tenantId = null, after }) => {
      const values = [tenantId, tenantId, after?.tenantId ?? '', after?.paymentId ?? '', after?.currency ?? '']
      return inTransaction(db, (em) => executeIn<Debt>(em, DEBTS, values))
    },
    isBooked: async (em, { tenantId, paymentId, entry }) =>
      (await executeIn(em, IS_BOOKED, [tenantId, paymentId, entry])).length > 0,
    findTransfer: async (em, { tenantId, reference }) => {
      const entries = BY_BANK.map((name) => `${name}${reference}`)
      return (await executeIn<BookedTransfer>(em, FIND_TRANSFER, [tenantId, JSON.stringify(entries)]))[0]
    },
    fence: () => readFence(db),
    close: (to) => closeLedger(db, to),
    balances: async (tenantId) => {
      const given = tenantId ?? null
      return byFence(db, (em, since) => executeIn<AccountBalance>(em, BALANCES, [since, given, given]))
    },
    findDiscrepancies: async ({ isAll = false } = {}) => {
      const since = isAll ? EVER : (await readFence(db)).balancedTo.toISOString()
      const ofLines = await inTransaction(db, (em) => problemsOf(em, LEDGER_CHECKS, since))
      // The fence may have moved since then: the lines above it are those that are in no balance.
      const ofBalances = await byFence(db, (em, balancedTo) => problemsOf(em, BALANCE_CHECKS, balancedTo))
      const ofClosed = isAll ? await inTransaction(db, (em) => problemsOf(em, [CLOSED_CHECK], EVER)) : []
      return [...ofLines, ...ofBalances, ...ofClosed]
    },
  }
}

/** Reads balances and the lines above them as they were at one moment: the close of a day moves lines from these to those. */
function byFence<T>(db: Database, read: (em: EntityManager, balancedTo: string) => Promise<T>): Promise<T> {
  return inTransaction(db, async (em) => {
    await executeIn(em, 'set transaction isolation level repeatable read, read only', [])
    return read(em, (await readFenceIn(em)).balancedTo.toISOString())
  })
}

/** What checks find, in their order. @param time every parameter of theirs */
async function problemsOf(em: EntityManager, checks: readonly string[], time: string): Promise<string[]> {
  const found: string[] = []
  for (const check of checks) {
    const values = Array.from({ length: check.split('?').length - 1 }, () => time)
    const rows = await executeIn<{ problem: string }>(em, check, values)
    found.push(...rows.map(({ problem }) => problem))
  }
  return found
}

async function bookAll(em: EntityManager, booked: readonly Booking[]): Promise<void> {
  await runIn(em, BOOK, [givenLines(booked)])
}

/** The lines of entries as JSON. */
export function givenLines(booked: readonly Booking[]): string {
  const given = booked.flatMap(({ about: { tenantId, paymentId, at }, entries }) =>
    entries.flatMap(({ entry, lines }) =>
      lines.map((one, line) => ({
        tenant_id: tenantId,
        payment_id: paymentId,
        at: at.toISOString(),
        entry,
        line,
        ...one,
      })),
    ),
  )
  return JSON.stringify(given)
}
