import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import { begunAccountsOf, type TreasuryAccount } from './begun-accounts.js'
import { refundedPayouts } from './refunded-payouts.js'

/** A transaction that our books call confirmed. */
export interface BookedTransaction {
  hash: string
  batchId: string
  blockNumber: number
  /** What is booked as its cost, for whichever of its versions: a decimal string in the chain's coin. */
  fee: string
}

/** A payout that our books call paid by a transaction. */
export interface BookedPayout {
  hash: string
  blockNumber: number
  tenantId: string
  paymentId: string
  splitIndex: number
  receiver: string
  currency: string
  /** What was signed for it, a decimal string. */
  amount: string
}

const BATCH_PAYMENTS = `(select leg.tenant_id, leg.payment_id from payments.batch_leg as leg
      where leg.batch_id = transaction.batch_id union select '-', '-')`

const VERSIONS = `(select hash from payments.treasury_transaction as version where version.batch_id = transaction.batch_id)`

/** Of a chain of whatever family. */
export const PLACE = 'coalesce(transaction.slot, transaction.block_number)'

const CONFIRMED = `transaction.chain_name = ? and transaction.account = ? and transaction.state = 'confirmed'`

const PAYOUTS = `select transaction.hash, ${PLACE}::float8 as "blockNumber", leg.tenant_id as "tenantId",
    leg.payment_id as "paymentId", leg.leg as "splitIndex", payout.receiver, payout.symbol as currency, leg.amount
  from payments.treasury_transaction as transaction join payments.batch_leg as leg using (batch_id)
  join payments.payout as payout on payout.tenant_id = leg.tenant_id and payout.payment_id = leg.payment_id
    and payout.leg = leg.leg
  where ${CONFIRMED} and ${PLACE} between ? and ? and leg.outcome = 'paid'
  order by ${PLACE}, leg.position`

const TRANSACTIONS = `select transaction.hash, transaction.batch_id as "batchId", ${PLACE}::float8 as "blockNumber",
    (select trim_scale(coalesce(sum(credit - debit), 0))::text from ${BATCH_PAYMENTS} as of
      join payments.ledger_line as line on line.tenant_id = of.tenant_id and line.payment_id = of.payment_id
      where line.account = 'treasury:' || transaction.chain_name and line.entry like 'fee:%'
        and split_part(line.entry, ':', 2) in ${VERSIONS}) as fee
  from payments.treasury_transaction as transaction
  where ${CONFIRMED} and ${PLACE} between ? and ? order by ${PLACE}`

/** What is booked on the treasury's account, debits less credits. @param transactions with a `batch_id` each, as `transaction` */
export const bookedBy = (
  transactions: string,
  payouts: string,
): string => `select line.currency, trim_scale(sum(line.debit - line.credit))::text as amount
  from ${transactions}, lateral ${BATCH_PAYMENTS} as of
  join payments.ledger_line as line on line.tenant_id = of.tenant_id and line.payment_id = of.payment_id
  where line.account = 'treasury:' || transaction.chain_name and (
    split_part(line.entry, ':', 1) in ('fee', 'overpaid') and split_part(line.entry, ':', 2) in ${VERSIONS}
    or line.entry like 'payout:%' and exists (select from payments.payout as payout
      where payout.tenant_id = line.tenant_id and payout.payment_id = line.payment_id
        and 'payout:' || payout.leg = line.entry and payout.hash ${payouts}))
  group by line.currency`

const BOOKED_ABOVE = bookedBy(
  `(select * from payments.treasury_transaction as transaction where ${CONFIRMED} and ${PLACE} > ?) as transaction`,
  '= transaction.hash',
)

/** What moved nothing has cost its gas too, in a block that is not written down: it was final when that was known. */
const BOOKED_UP_TO = bookedBy(
  `(select chain_name, batch_id from payments.treasury_transaction as transaction
    where transaction.chain_name = ? and transaction.account = ? and transaction.state in ('confirmed', 'failed', 'void')
    group by chain_name, batch_id
    having coalesce(max(${PLACE}) filter (where transaction.state = 'confirmed'), 0) <= ?) as transaction`,
  `in ${VERSIONS}`,
)

/** What is booked as the owner's above a block on an account of the ledger: debits less credits. */
export const bookedOwners = (
  block: string,
): string => `select line.currency, trim_scale(sum(line.debit - line.credit))::text as amount
  from payments.owner_transfer as transfer join payments.ledger_line as line
    on line.tenant_id = '-' and line.payment_id = '-' and line.entry = any(transfer.entries)
  where transfer.state = 'done' and transfer.chain_name = ? and transfer.block_number > ${block} and line.account = ?
  group by line.currency`

/** Where gas below a nonce is not booked, or gas above it is. */
const GAS_ELSEWHERE = `select nonce from payments.operator_transaction where chain_name = ? and operator = ?
  and (nonce < ? and (state = 'stored' or check_at is not null) or nonce >= ? and state = 'final' and check_at is null)
  limit 1`

/** Transactions whose end our books do not know yet, or whose block may still be dropped. */
const OPEN = `select hash, nonce from payments.treasury_transaction where chain_name = ? and account = ?
    and state in ('stored', 'sent') order by nonce, hash limit 10000`

const FOLLOWED = `select min(block_number)::float8 as "followedBlock" from payments.treasury_transaction
  where chain_name = ? and account = ? and state = 'confirmed' and check_at is not null`

const IS_UNDECIDED = `select hash from payments.treasury_transaction
  where chain_name = ? and hash = ? and state = 'unexpected'`

const STATE_OF = `select state from payments.treasury_transaction where chain_name = ? and hash = ?
  union all select 'gas' from payments.operator_transaction
    where chain_name = ? and (hash = ? or earlier_hashes @> to_jsonb(?::text)) limit 1`

const WAS_PAID = `select 1 as paid from payments.payout where chain_name = ? and lower(receiver) = lower(?) and symbol = ?
    and amount::numeric = ?::numeric and state = 'confirmed' limit 1`

const IS_PAYOUT_TO = `select 1 as paid from payments.payout where chain_name = ? and lower(receiver) = lower(?) and symbol = ?
    and hash = ? and state = 'confirmed' limit 1`

const READ = `select first_block::float8 as "firstBlock", block_number::float8 as "blockNumber" from payments.reconciliation
  where scope = ? for update`
const START = `insert into payments.reconciliation (scope, begun_at) values (?, ?::timestamptz)
  on conflict (scope) do update set begun_at = excluded.begun_at`
const FIRST_BLOCK = `select first_block::float8 as "firstBlock" from payments.reconciliation where scope = ?`
const COMPARED_TO = `select block_number::float8 as "blockNumber" from payments.reconciliation where scope = ?`
const END = `update payments.reconciliation set ended_at = ?::timestamptz, skipped = ?,
    first_block = coalesce(first_block, ?), block_number = coalesce(?, block_number) where scope = ?`

const SYNCED_TO = 'select begun_at::text as at from payments.reconciliation where scope = ? and ended_at is not null'
const MARK_SYNCED = `insert into payments.reconciliation (scope, begun_at, ended_at) values (?, ?::timestamptz, ?::timestamptz)
  on conflict (scope) do update set begun_at = excluded.begun_at, ended_at = excluded.ended_at`

type Read = <Row>(sql: string, values: unknown[]) => Promise<Row[]>

/** What our books say of a treasury, for comparing it with its chain; and how far that has come. */
export function treasuryBooksStore(db: Database) {
  const read: Read = (sql, values) => inTransaction(db, (em) => executeIn(em, sql, values))
  return {
    ...begunAccountsOf(db),
    ...refundedPayouts(db),
    payouts: ({ chainName, account }: TreasuryAccount, from: number, to: number): Promise<BookedPayout[]> =>
      read(PAYOUTS, [chainName, account, from, to]),
    transactions: ({ chainName, account }: TreasuryAccount, from: number, to: number): Promise<BookedTransaction[]> =>
      read(TRANSACTIONS, [chainName, account, from, to]),
    /** What an account's transactions above a block have booked. */
    bookedAbove: (of: TreasuryAccount, block: number): Promise<{ currency: string; amount: string }[]> =>
      read(BOOKED_ABOVE, [of.chainName, of.account, block]),
    /** The same of those up to a block, and of those that moved nothing. */
    bookedUpTo: (of: TreasuryAccount, block: number): Promise<{ currency: string; amount: string }[]> =>
      read(BOOKED_UP_TO, [of.chainName, of.account, block]),
    /** What is booked as the owner's above a block. @param account of the ledger */
    ownersAbove: (chainName: string, account: string, block: number): Promise<{ currency: string; amount: string }[]> =>
      read(bookedOwners('?'), [chainName, block, account]),
    /** Whether the gas of exactly those transactions of the gas payer is booked whose nonces are below this one. */
    isGasBooked: async ({ chainName, account }: TreasuryAccount, used: number): Promise<boolean> =>
      (await read<object>(GAS_ELSEWHERE, [chainName, account, used, used])).length === 0,
    unsettled: async ({ chainName, account }: TreasuryAccount) => {
      const open = await read<{ hash: string; nonce: number | null }>(OPEN, [chainName, account])
      const [row] = await read<{ followedBlock: number | null }>(FOLLOWED, [chainName, account])
      return { open, followedBlock: row?.followedBlock ?? null }
    },
    /** Whether it waits for an operator's decision. */
    isUndecided: async (chainName: string, hash: string): Promise<boolean> =>
      (await read<object>(IS_UNDECIDED, [chainName, hash])).length > 0,
    /** Where a transaction stands that the treasury has signed; `gas`: the gas payer has. Undefined where neither has. */
    stateOf: async (chainName: string, hash: string): Promise<string | undefined> =>
      (await read<{ state: string }>(STATE_OF, [chainName, hash, chainName, hash, hash]))[0]?.state,
    ...receivers(read),
    start: async (scope: string, at: Date): Promise<{ firstBlock: number | null; blockNumber: number | null }> => {
      await read(START, [scope, at.toISOString()])
      const [row] = await read<{ firstBlock: number | null; blockNumber: number | null }>(READ, [scope])
      return row ?? { firstBlock: null, blockNumber: null }
    },
    /** Up to which block a treasury was compared the last time; null where it never was. */
    comparedTo: async (scope: string): Promise<number | null> =>
      (await read<{ blockNumber: number | null }>(COMPARED_TO, [scope]))[0]?.blockNumber ?? null,
    /** The block at which what a treasury held was taken as the owner's; null where that has not been yet. */
    firstBlock: async (scope: string): Promise<number | null> =>
      (await read<{ firstBlock: number | null }>(FIRST_BLOCK, [scope]))[0]?.firstBlock ?? null,
    /** Up to when a provider's list was read to its end. */
    syncedTo: async (scope: string): Promise<Date | undefined> => {
      const [row] = await read<{ at: string }>(SYNCED_TO, [scope])
      return row && new Date(row.at)
    },
    markSynced: async (scope: string, to: Date): Promise<void> => {
      await read(MARK_SYNCED, [scope, to.toISOString(), to.toISOString()])
    },
    /** @param skipped why nothing could be compared now */
    end: async (
      scope: string,
      at: Date,
      end: { block?: number | undefined; skipped?: string | undefined },
    ): Promise<void> => {
      const block = end.block ?? null
      await read(END, [at.toISOString(), end.skipped ?? null, block, block, scope])
    },
  }
}

/** Who has got something, or was to get it. */
function receivers(read: Read) {
  return {
    /** Whether a payout of exactly this was made to somebody. */
    wasPaid: async (chainName: string, to: { receiver: string; currency: string; amount: string }): Promise<boolean> =>
      (await read<object>(WAS_PAID, [chainName, to.receiver, to.currency, to.amount])).length > 0,
    /** Whether a transaction is a payout to somebody. */
    isPayoutTo: async (chainName: string, to: { receiver: string; currency: string; hash: string }): Promise<boolean> =>
      (await read<object>(IS_PAYOUT_TO, [chainName, to.receiver, to.currency, to.hash])).length > 0,
  }
}
