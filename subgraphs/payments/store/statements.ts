import { run, type Database } from '../../../kernel/database.js'

/** One movement on an account of a tenant's. */
export interface StatementLine extends Record<string, unknown> {
  /** ISO 8601. */
  at: string
  /** What the movement is: `receipt`, `conversion`, `payout`, `wallet`, `refund`, `reserve`, … */
  kind: string
  entry: string
  /** The line's place in its entry. */
  line: number
  /** `-` where it belongs to no payment. */
  paymentId: string
  orderCode: string | null
  /** What the payer paid by, e.g. `pix`; null where it belongs to no payment. */
  rail: string | null
  /** Who was paid, where the movement is one receiver's. */
  receiver: string | null
  transactionHash: string | null
  account: string
  currency: string
  /** A decimal string: what the tenant is owed more; below 0 with a sign, what it is owed less. */
  amount: string
}

/** What a tenant is owed on an account of its own, a decimal string. */
export interface StatementBalance extends Record<string, unknown> {
  account: string
  currency: string
  balance: string
}

/** Which lines a statement holds: those from one time to another, which is not part of it; what is absent is any. */
export interface StatementFilter {
  from: Date
  to: Date
  receiver?: string | null | undefined
  orderCode?: string | null | undefined
  rail?: string | null | undefined
}

/** A line's place in the order of statements. */
export type StatementPlace = Pick<StatementLine, 'at' | 'paymentId' | 'entry' | 'line'>

/** A tenant's own accounts: what the deployment owes it. */
const OWN = `(account = 'tenant' or account like 'tenant:%')`

const ISO = `to_char(line.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The receiver at a place among those who get a share, as payments count them. */
const WALLET_RECEIVER = `(select share ->> 'receiverWallet' from jsonb_array_elements(payment.split_payment_config)
    with ordinality as part (share, place) where (share ->> 'receiverPercent')::numeric > 0
    order by place offset split_part(line.entry, ':', 2)::int limit 1)`

/** What the movement was paid by: a wallet, also where a charge has paid the same payment. */
const RAIL = `case when line.entry like 'wallet%' then 'crypto' else charge.rail end`

/** What a wallet has paid a second time is named by its transaction; a number tells what an address has paid in parts. */
const TRANSACTION = `case when line.entry ~ '^wallet:[^:]+:[^:]*[^0-9:]' then split_part(line.entry, ':', 3)
    when line.entry like 'wallet%' then payment.tid_hash when line.entry like 'payout:%' then payout.hash end`

const PAGE = {
  name: 'statement_page',
  text: `select * from (
    select ${ISO} as at, split_part(line.entry, ':', 1) as kind, line.entry, line.line, line.payment_id as "paymentId",
      payment.order_code as "orderCode",
      ${RAIL} as rail,
      case when line.entry ~ '^wallet:[0-9]+(:|$)' then ${WALLET_RECEIVER} else payout.receiver end as receiver,
      ${TRANSACTION} as "transactionHash",
      line.account, line.currency, trim_scale(line.credit - line.debit)::text as amount
    from payments.ledger_line as line
    left join payments.payment as payment on payment.tenant_id = line.tenant_id and payment.id = line.payment_id
    left join payments.charge as charge on charge.tenant_id = line.tenant_id and charge.id = payment.charge_id
    left join payments.payout as payout on payout.tenant_id = line.tenant_id and payout.payment_id = line.payment_id
      and payout.leg::text = substring(line.entry from '^(?:payout|withheld|reversal):(?:.*:)?([0-9]+)$')
    where line.tenant_id = $1 and line.created_at >= $2::timestamptz and line.created_at < $3::timestamptz and ${OWN}
      and (line.created_at, line.payment_id, line.entry, line.line) > ($4::timestamptz, $5, $6, $7)
      and ($8::text is null or payment.order_code = $8) and ($9::text is null or ${RAIL} = $9)
    order by line.created_at, line.payment_id, line.entry, line.line
  ) as shown where $10::text is null or receiver = $10 limit $11`,
}

/** The newest closed balances, and the lines from there on. */
const BALANCES_AT = {
  name: 'statement_balances_at',
  text: `with closed as (select distinct on (account, currency) account, currency, debit, credit
      from payments.ledger_close where tenant_id = $1 and closed_to <= $2::timestamptz and ${OWN}
      order by account, currency, closed_to desc)
    select account, currency, trim_scale(sum(credit - debit))::text as balance from (
      select account, currency, debit, credit from closed
      union all select account, currency, debit, credit from payments.ledger_line where tenant_id = $1 and ${OWN}
        and created_at < $2::timestamptz and created_at >= (select coalesce(max(closed_to), 'epoch')
          from payments.ledger_close where tenant_id = $1 and closed_to <= $2::timestamptz)
    ) as held group by account, currency order by account, currency`,
}

/** What tenants are owed, line by line. */
export function statementsStore(db: Database) {
  return {
    /** At most `limit` lines, in the order of their times. */
    page: (
      tenantId: string,
      { from, to, receiver, orderCode, rail }: StatementFilter,
      { limit, after }: { limit: number; after: StatementPlace | undefined },
    ): Promise<StatementLine[]> => {
      const place = after ? [after.at, after.paymentId, after.entry, after.line] : ['-infinity', '', '', 0]
      const filters = [orderCode ?? null, rail ?? null, receiver ?? null]
      return run<StatementLine>(db.pool, PAGE, [
        tenantId,
        from.toISOString(),
        to.toISOString(),
        ...place,
        ...filters,
        limit,
      ])
    },
    /** What a tenant was owed at a time, on each of its accounts. */
    balancesAt: (tenantId: string, at: Date): Promise<StatementBalance[]> =>
      run<StatementBalance>(db.pool, BALANCES_AT, [tenantId, at.toISOString()]),
  }
}
