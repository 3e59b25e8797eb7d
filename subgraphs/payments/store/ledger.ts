import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import { REFUND_BALANCE, type LedgerEntry } from '../model/ledger-entries.js'

/** What an account of the ledger holds in a currency: debits less credits; a decimal string, below 0 with a sign. */
export interface AccountBalance {
  account: string
  currency: string
  balance: string
}

/** Entries of one payment. */
export interface Booking {
  about: { tenantId: string; paymentId: string; at: Date }
  entries: readonly LedgerEntry[]
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
  balances: (tenantId?: string) => Promise<AccountBalance[]>
  /** What is wrong between ledger and payments; nothing where all is well. */
  findDiscrepancies: () => Promise<string[]>
}

const BOOK = `insert into payments.ledger_line
  (tenant_id, payment_id, entry, line, account, currency, debit, credit, created_at)
  select tenant_id, payment_id, entry, line, account, currency, debit, credit, at from json_to_recordset(?::json)
    as given (tenant_id text, payment_id text, at timestamptz, entry text, line int, account text, currency text,
      debit numeric, credit numeric)`

const FEES_OF = `select trim_scale(coalesce(sum(credit - debit), 0))::text as fee, count(*)::int as entries
  from payments.ledger_line where tenant_id = ? and payment_id = ? and account = ? and entry like 'fee:%'
    and split_part(entry, ':', 2) in (select json_array_elements_text(?::json))`

const HAS_GAS_RECOVERY = `select 1 from payments.ledger_line where tenant_id = ? and payment_id = ?
  and entry in (select 'gas:' || json_array_elements_text(?::json)) limit 1`

const BALANCES = `select account, currency, trim_scale(sum(debit - credit))::text as balance from payments.ledger_line
  where ?::text is null or tenant_id = ? group by account, currency order by account, currency`

const LOCK_REFUND_BALANCE = `select pg_advisory_xact_lock(hashtextextended('refunds:' || ?::text, 0))`

const REFUND_BALANCE_OF = `select trim_scale(coalesce(sum(credit - debit), 0))::text as balance from payments.ledger_line
  where tenant_id = ? and currency = ? and account = '${REFUND_BALANCE}'`

const IS_BOOKED = `select 1 as booked from payments.ledger_line where tenant_id = ? and payment_id = ? and entry = ? limit 1`

/** Each names what it finds in a column `problem`. */
const CHECKS = [
  `select format('entry %s of payment %s: %s does not balance', entry, payment_id, currency) as problem
    from payments.ledger_line group by tenant_id, payment_id, entry, currency having sum(debit) <> sum(credit)`,
  `select format('receipt %s of payment %s is not booked with its amount', id, payment_id) as problem
    from payments.receipt as receipt where not exists (select from payments.ledger_line as line
      where line.tenant_id = receipt.tenant_id and line.payment_id = receipt.payment_id
        and line.entry = 'receipt:' || receipt.id and line.currency = receipt.currency
        and line.account = 'provider:' || receipt.rail and line.debit = receipt.amount::numeric)`,
  `select format('payout %s of payment %s is confirmed and not booked once', leg, payment_id) as problem
    from payments.payout as payout where state = 'confirmed' and 1 <> (select count(*) from payments.ledger_line as line
      where line.tenant_id = payout.tenant_id and line.payment_id = payout.payment_id
        and line.entry = 'payout:' || payout.leg and line.currency = payout.symbol
        and line.account = 'treasury:' || payout.chain_name and line.credit = payout.amount::numeric)`,
  `select format('payment %s has a payout booked that is not confirmed: %s', line.payment_id, line.entry) as problem
    from payments.ledger_line as line where line.entry like 'payout:%' and not exists (
      select from payments.payout as payout where payout.tenant_id = line.tenant_id
        and payout.payment_id = line.payment_id and 'payout:' || payout.leg = line.entry and payout.state = 'confirmed')`,
  `select format('payout %s of payment %s was paid by %s transactions', leg, payment_id, count(*)) as problem
    from payments.batch_leg where outcome = 'paid' group by tenant_id, payment_id, leg having count(*) > 1`,
  `select format('payment %s succeeded, and its receivers got %s instead of %s', payment.id,
      coalesce(sum(payout.amount::numeric) filter (where payout.state = 'confirmed'), 0), payment.amount_to) as problem
    from payments.payment as payment
    join payments.charge as charge on charge.tenant_id = payment.tenant_id and charge.id = payment.charge_id
    left join payments.payout as payout on payout.tenant_id = payment.tenant_id and payout.payment_id = payment.id
    where payment.status = 'success' group by payment.tenant_id, payment.id, payment.amount_to
    having coalesce(sum(payout.amount::numeric) filter (where payout.state = 'confirmed'), 0)
      + coalesce(sum(payout.withheld::numeric), 0) <> payment.amount_to::numeric`,
  `select format('return %s of payment %s is done and not booked', returned.id, receipt.payment_id) as problem
    from payments.receipt_return as returned
    join payments.receipt as receipt on receipt.rail = returned.rail and receipt.id = returned.receipt_id
    where returned.status = 'done' and not exists (select from payments.ledger_line as line
      where line.tenant_id = receipt.tenant_id and line.payment_id = receipt.payment_id
        and line.entry = 'return:' || returned.receipt_id || ':' || returned.id)`,
  `select format('%s of receipt %s goes back to its payer, which is more than came', sum(returned.amount::numeric),
      receipt.id) as problem
    from payments.receipt_return as returned
    join payments.receipt as receipt on receipt.tenant_id = returned.tenant_id and receipt.rail = returned.rail
      and receipt.id = returned.receipt_id
    where returned.status <> 'refused' and not returned.forced group by receipt.tenant_id, receipt.rail, receipt.id
    having sum(returned.amount::numeric) > receipt.amount::numeric`,
  `select format('tenant %s is about to refund %s %s, and the ledger has %s', tenant_id, sum(open), currency, sum(booked))
      as problem
    from (select returned.tenant_id, receipt.currency, returned.amount::numeric as open, 0 as booked
        from payments.receipt_return as returned join payments.receipt as receipt on receipt.tenant_id = returned.tenant_id
          and receipt.rail = returned.rail and receipt.id = returned.receipt_id
        where returned.origin = 'tenant' and returned.status in ('requested', 'processing')
      union all select tenant_id, currency, 0, credit - debit from payments.ledger_line where account like 'refunds:%') as sides
    group by tenant_id, currency having sum(open) <> sum(booked)`,
  `select format('tenant %s has %s %s for refunds', tenant_id, sum(credit - debit), currency) as problem
    from payments.ledger_line where account = '${REFUND_BALANCE}' group by tenant_id, currency
    having sum(credit - debit) < 0`,
]

/** The ledger in the schema of payments: lines are only ever added. */
export function ledgerStore(db: Database): LedgerStore {
  return {
    book: (em, about, ...entries) => bookAll(em, [{ about, entries }]),
    bookAll,
    feesOf: async (em, { tenantId, paymentId, hashes, account }) => {
      const values = [tenantId, paymentId, account, JSON.stringify(hashes)]
      const [row] = await executeIn<{ fee: string; entries: number }>(em, FEES_OF, values)
      return row ?? { fee: '0', entries: 0 }
    },
    hasGasRecovery: async (em, { tenantId, paymentId, hashes }) =>
      (await executeIn(em, HAS_GAS_RECOVERY, [tenantId, paymentId, JSON.stringify(hashes)])).length > 0,
    lockRefundBalance: async (em, { tenantId, currency }) => {
      await executeIn(em, LOCK_REFUND_BALANCE, [tenantId])
      const [row] = await executeIn<{ balance: string }>(em, REFUND_BALANCE_OF, [tenantId, currency])
      return row?.balance ?? '0'
    },
    isBooked: async (em, { tenantId, paymentId, entry }) =>
      (await executeIn(em, IS_BOOKED, [tenantId, paymentId, entry])).length > 0,
    balances: (tenantId) =>
      inTransaction(db, (em) => executeIn<AccountBalance>(em, BALANCES, [tenantId ?? null, tenantId ?? null])),
    findDiscrepancies: () =>
      inTransaction(db, async (em) => {
        const found: string[] = []
        for (const check of CHECKS) {
          const rows = await executeIn<{ problem: string }>(em, check, [])
          found.push(...rows.map(({ problem }) => problem))
        }
        return found
      }),
  }
}

async function bookAll(em: EntityManager, booked: readonly Booking[]): Promise<void> {
  const given = booked.flatMap(({ about, entries }) =>
    entries.flatMap(({ entry, lines }) =>
      lines.map((one, line) => {
        return {
          tenant_id: about.tenantId,
          payment_id: about.paymentId,
          at: about.at.toISOString(),
          entry,
          line,
          ...one,
        }
      }),
    ),
  )
  await executeIn(em, BOOK, [JSON.stringify(given)])
}
