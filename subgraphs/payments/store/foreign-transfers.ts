import type { Clock } from '../../../kernel/clock.js'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import type { TreasuryAccount } from './begun-accounts.js'
import { CLOCKS, FOUND, foreignHolds, type StoredForeignTransfer } from './foreign-holds.js'

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
    (chain_name, hash, log_index, account, receiver, symbol, amount, left_amount, block_number, mined_at, payment_references)
  select ?, hash, "logIndex", ?, receiver, symbol, amount, amount, "blockNumber", "minedAt", "references"
  from json_to_recordset(?::json) as given (hash text, "logIndex" int, receiver text, symbol text, amount numeric,
    "blockNumber" bigint, "minedAt" timestamptz, "references" text[])
  on conflict do nothing`

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
    ...foreignHolds(db, now),
  }
}
