import type { EntityManager } from '@mikro-orm/postgresql'
import type { Clock } from '../../../kernel/clock.js'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import { TENANT, WITHHELD_RESERVE } from '../model/ledger-entries.js'
import type { Payout } from './payout.entity.js'
import type { TreasuryAccount } from './begun-accounts.js'

/** How the ids of transactions begin that were found on the chain. */
export const FOUND = 'foreign:'

/** How far it is known what an account has sent. */
export interface TreasuryCursor {
  nonce: number
  block: number | undefined
  signature: string | undefined
  /** Payouts in coins of payments that were registered before this may have been made, by whichever account of the chain. */
  coinsUntil: Date | undefined
  /** Undefined where no look into the account's list is under way. */
  look: ListLook | undefined
}

/** How far a look into the list of what names an account has come, from the newest to the oldest; signatures, of Solana. */
export interface ListLook {
  /** The newest that cannot be dropped any more; undefined where none was seen yet. */
  head: string | undefined
  /** What is newer than this is read. */
  before: string
  /** Where it ends: what the account's list was read to when the look began. */
  until: string | undefined
}

/** A cursor as it stands. */
export interface KnownCursor extends TreasuryCursor {
  /** Since when payouts wait for the list to be read; undefined where they do not. */
  unreadSince: Date | undefined
}

/** Something that an account has sent and that the database did not know. */
export interface StoredForeignTransfer {
  hash: string
  logIndex: number
  blockNumber: number
  receiver: string
  symbol: string
  amount: string
  minedAt: Date
}

/** Such a transfer, who has sent it, and how much of it has paid nobody yet as far as is known. */
export type FoundTransfer = StoredForeignTransfer & Pick<TreasuryAccount, 'account'> & { leftAmount: string }

/** What is known of an account: by what was written down and by what was found. Coins may have been sent by any of the chain's. */
const KNOWN = `select greatest(coalesce((select max(nonce) + 1 from payments.treasury_transaction
      where chain_name = one.chain_name and account = one.account and batch_id not like '${FOUND}%'), 0), cursor.nonce) as nonce,
    greatest((select max(coalesce(slot, block_number)) from payments.treasury_transaction
      where chain_name = one.chain_name and account = one.account and state = 'confirmed'), cursor.block_number)::float8 as block,
    cursor.signature, (select max(coins_until) from payments.treasury_cursor
      where chain_name = one.chain_name) as "coinsUntil", cursor.unread_since as "unreadSince", case when cursor.look_before is not null
      then json_build_object('head', cursor.look_head, 'before', cursor.look_before, 'until', cursor.look_until) end as look
  from (select ?::text as chain_name, ?::text as account) as one
  left join payments.treasury_cursor as cursor using (chain_name, account)`

/** Clocks differ, ours and those of who makes blocks; on Solana the times of blocks are estimates in whole seconds. */
export const CLOCKS = `interval '1 hour'`

/** What is older than a month waits for nobody. */
const OLDEST = `select min(created_at) - ${CLOCKS} as at from payments.payment where created_at > ?::timestamptz - interval '30 days'`

/** What was found before is written down too: found again in the block where reading goes on, it would explain another's nonce. */
const OURS = `with given as (select ?::text as chain_name, json_array_elements_text(?::json) as hash)
  select hash from given join payments.treasury_transaction using (chain_name, hash)
  union select hash from given join payments.foreign_transfer using (chain_name, hash)`

const MOVE = `insert into payments.treasury_cursor as cursor
    (chain_name, account, nonce, block_number, signature, coins_until, look_head, look_before, look_until)
  values (?, ?, ?, ?::bigint, ?, ?::timestamptz, ?, ?, ?)
  on conflict (chain_name, account) do update set nonce = excluded.nonce,
    block_number = coalesce(excluded.block_number, cursor.block_number),
    signature = coalesce(excluded.signature, cursor.signature), coins_until = coalesce(excluded.coins_until, cursor.coins_until),
    look_head = excluded.look_head, look_before = excluded.look_before, look_until = excluded.look_until,
    unread_since = case when ?::boolean then null else cursor.unread_since end`

const NOTE_UNREAD = `insert into payments.treasury_cursor as cursor (chain_name, account, nonce, unread_since)
  values (?, ?, 0, ?::timestamptz)
  on conflict (chain_name, account) do update set unread_since = coalesce(cursor.unread_since, excluded.unread_since)
  returning unread_since as since`

const ADD = `insert into payments.foreign_transfer
    (chain_name, hash, log_index, account, receiver, symbol, amount, left_amount, block_number, mined_at)
  select ?, hash, "logIndex", ?, receiver, symbol, amount, amount, "blockNumber", "minedAt"
  from json_to_recordset(?::json) as given (hash text, "logIndex" int, receiver text, symbol text, amount numeric,
    "blockNumber" bigint, "minedAt" timestamptz)
  on conflict do nothing`

/** The entry of what was taken off a payout for its tenant's reserve. @param payout a row of it, by its name */
export const reserveOf = (payout: string): string => `'${WITHHELD_RESERVE}' || ${payout}.leg`

/** What refunds have taken off a payout; its reserve was off it before it could leave. @param payout a row of it, by its name */
export const refundedOf = (payout: string): string => `${payout}.withheld::numeric - coalesce((
    select max(line.debit) from payments.ledger_line as line
    where line.tenant_id = ${payout}.tenant_id and line.payment_id = ${payout}.payment_id and line.currency = ${payout}.symbol
      and line.account = '${TENANT}' and line.entry = ${reserveOf(payout)}), 0)`

/**
 * The oldest transfer that may have paid each payout, of which nobody knows whom it has paid: of its own amount, of what it was before
 * refunds, which may have been ordered after it had left, or of more where one transfer pays a receiver several payouts.
 */
const MATCHES = `select distinct on (place) given.place, transfer.hash, transfer.log_index as "logIndex",
    transfer.block_number::float8 as "blockNumber", transfer.receiver, transfer.symbol, trim_scale(transfer.amount)::text as amount,
    trim_scale(transfer.left_amount)::text as "leftAmount", transfer.mined_at as "minedAt", transfer.account
  from json_to_recordset(?::json) as given (place int, tenant_id text, payment_id text, leg int, receiver text, symbol text,
    amount numeric, withheld numeric)
  join payments.payment as payment on payment.tenant_id = given.tenant_id and payment.id = given.payment_id
  join payments.foreign_transfer as transfer on transfer.chain_name = ? and lower(transfer.receiver) = lower(given.receiver)
    and transfer.symbol = given.symbol and transfer.left_amount > 0 and transfer.left_amount >= given.amount
    and (?::boolean or transfer.left_amount <= given.amount + ${refundedOf('given')})
    and transfer.mined_at >= payment.created_at - ${CLOCKS}
  order by place, transfer.left_amount = given.amount desc, transfer.block_number, transfer.log_index`

const hold = (
  besides: string,
): string => `update payments.payout set state = 'held', hold_reason = 'unproven', attempt = attempt + 1${besides}
  where tenant_id = ? and payment_id = ? and leg = ? and state = 'waiting' and attempt = ? returning attempt`

const HOLD = hold('')

const HOLD_COINS = hold(', coins_held_at = ?::timestamptz')

const CLAIM = `update payments.foreign_transfer set batch_id = ?, left_amount = left_amount - ?::numeric
  where chain_name = ? and hash = ? and log_index = ? and left_amount >= ?::numeric returning batch_id`

/** What was found on the chain, with the payouts that wait for a decision about it. */
export const ADD_TRANSACTION = `insert into payments.treasury_transaction
    (chain_name, hash, account, batch_id, version, nonce, raw, state, created_at, slot)
  values (?, ?, ?, ?, 0, null, ?, 'unexpected', ?::timestamptz, ?::bigint) on conflict do nothing`

/** Far from the places that the chain's own word of a batch is about. */
export const ADD_LEG = `insert into payments.batch_leg (batch_id, position, tenant_id, payment_id, leg, attempt, amount, outcome)
  select ?, 1000 + count(*), ?, ?, ?, ?, ?, 'unproven' from payments.batch_leg where batch_id = ?`

/** A cursor, as the database has it. */
interface CursorRow {
  nonce: string | number | null
  block: number | null
  signature: string | null
  coinsUntil: string | Date | null
  unreadSince: string | Date | null
  look: { head: string | null; before: string; until: string | null } | null
}

const dateOf = (value: string | Date | null | undefined): Date | undefined =>
  value == null ? undefined : new Date(value)

/** What treasuries have sent that the database did not know. */
export function foreignStore(db: Database, clock: Clock) {
  const now = (): string => clock.now().toISOString()
  return {
    known: ({ chainName, account }: TreasuryAccount): Promise<KnownCursor> =>
      inTransaction(db, async (em) => {
        const [row] = await executeIn<CursorRow>(em, KNOWN, [chainName, account])
        const { nonce, block, signature, look } = row ?? {}
        return {
          nonce: Number(nonce ?? 0),
          block: block ?? undefined,
          signature: signature ?? undefined,
          coinsUntil: dateOf(row?.coinsUntil),
          look: look
            ? { head: look.head ?? undefined, before: look.before, until: look.until ?? undefined }
            : undefined,
          unreadSince: dateOf(row?.unreadSince),
        }
      }),
    /** When the oldest payment was registered of which anything may still be paid. */
    oldest: (): Promise<Date> =>
      inTransaction(db, async (em) => {
        const [row] = await executeIn<{ at: string | Date | null }>(em, OLDEST, [now()])
        return row?.at == null ? clock.now() : new Date(row.at)
      }),
    /** Which of these transactions are written down: signed here, or found. */
    ours: (chainName: string, hashes: readonly string[]): Promise<ReadonlySet<string>> =>
      inTransaction(db, async (em) => {
        const rows = await executeIn<{ hash: string }>(em, OURS, [chainName, JSON.stringify(hashes)])
        return new Set(rows.map(({ hash }) => hash))
      }),
    /** Writes down what was found, and how far. @param isAll whether payouts wait for nothing more to be read */
    record: (
      { chainName, account }: TreasuryAccount,
      { nonce, block, signature, coinsUntil, look }: TreasuryCursor,
      found: readonly StoredForeignTransfer[],
      isAll = true,
    ): Promise<void> =>
      inTransaction(db, async (em) => {
        if (found.length > 0) await executeIn(em, ADD, [chainName, account, JSON.stringify(found)])
        const place = [nonce, block ?? null, signature ?? null, coinsUntil?.toISOString() ?? null]
        const looked = [look?.head ?? null, look?.before ?? null, look?.until ?? null]
        await executeIn(em, MOVE, [chainName, account, ...place, ...looked, isAll])
      }),
    /** Writes down that payouts wait for the account's list to be read. @returns since when they do */
    noteUnread: ({ chainName, account }: TreasuryAccount): Promise<Date> =>
      inTransaction(db, async (em) => {
        const [row] = await executeIn<{ since: string | Date }>(em, NOTE_UNREAD, [chainName, account, now()])
        return row ? new Date(row.since) : clock.now()
      }),
    /**
     * For each payout a transfer that may have paid it, by its place among them; several may be shown the same one.
     * @param areMerged whether one transfer may pay a receiver several payouts
     */
    matches: (chainName: string, payouts: readonly Payout[], areMerged: boolean): Promise<Map<number, FoundTransfer>> =>
      inTransaction(db, async (em) => {
        const given = payouts.map(({ tenantId, paymentId, splitIndex, receiver, symbol, amount, withheld }, place) => {
          const of = { tenant_id: tenantId, payment_id: paymentId, leg: splitIndex }
          return { place, ...of, receiver, symbol, amount, withheld }
        })
        type Row = FoundTransfer & { place: number }
        const rows = await executeIn<Row>(em, MATCHES, [JSON.stringify(given), chainName, areMerged])
        return new Map(rows.map(({ place, ...transfer }) => [place, transfer]))
      }),
    ...holds(db, now),
  }
}

/** What holds payouts, under the treasury's lock. */
function holds(db: Database, now: () => string) {
  return {
    /**
     * Holds a payout that a transfer may have made, with the transaction that an operator decides about; several payouts of one
     * transaction are its legs.
     * @param paid what of the transfer is the payout's; more than its amount where a refund was taken off it since
     * @returns the transaction's id; undefined where the payout waits no more
     */
    hold: (
      chainName: string,
      payout: Payout,
      { hash, logIndex, blockNumber, account }: FoundTransfer,
      { raw, paid }: { raw: string; paid: string },
      /** In the same transaction. */
      also: (em: EntityManager, id: string) => Promise<void>,
    ): Promise<string | undefined> =>
      inTransaction(db, async (em) => {
        const { tenantId, paymentId, splitIndex, attempt } = payout
        const batchId = `${FOUND}${hash}`
        const [held] = await executeIn<{ attempt: number }>(em, HOLD, [tenantId, paymentId, splitIndex, attempt])
        if (!held) return undefined
        const claimed = await executeIn(em, CLAIM, [batchId, paid, chainName, hash, logIndex, paid])
        if (claimed.length === 0) throw new Error('a transfer was claimed without the lock of its treasury')
        await executeIn(em, ADD_TRANSACTION, [chainName, hash, account, batchId, raw, now(), blockNumber])
        await executeIn(em, ADD_LEG, [batchId, tenantId, paymentId, splitIndex, held.attempt, paid, batchId])
        await also(em, batchId)
        return batchId
      }),
    /** Holds a payout in coins that may have been made. @returns false where it waits no more */
    holdCoins: (
      { tenantId, paymentId, splitIndex, attempt }: Payout,
      /** In the same transaction. */
      also: (em: EntityManager) => Promise<void>,
    ): Promise<boolean> =>
      inTransaction(db, async (em) => {
        const held = await executeIn(em, HOLD_COINS, [now(), tenantId, paymentId, splitIndex, attempt])
        if (held.length > 0) await also(em)
        return held.length > 0
      }),
  }
}
