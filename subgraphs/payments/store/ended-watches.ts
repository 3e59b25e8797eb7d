import type { EntityManager } from '@mikro-orm/postgresql'
import type { ReadUpTo } from '../../../chains/evm/read-deposits.js'
import { executeIn, inTransaction, run, type Database } from '../../../kernel/database.js'
import type { PaymentAddress } from '../model/payment-address.js'
import { addressFromRow, COLUMNS, type AddressRow } from './address-rows.js'

/** What had come to an address in all by the last block that was read of its chain, in base units. */
export interface CameBy {
  upTo: ReadUpTo
  came: bigint
  /** When to look back again; null: not any more. */
  nextAt: Date | null
}

/** What lies unread at an address. */
export interface Laid {
  /** What was known, in base units. */
  known: bigint
  /** In base units. */
  laid: bigint
  /** What of that may be booked as held there already; a decimal string. */
  held: string
}

const IS_ANY_OVER = {
  name: 'payment_address_watch_over',
  text: `select from payments.payment_address
    where chain_name = $1 and last_read_block is null and watch_until < $2::timestamptz limit 1`,
}

const IS_ANY_DUE = {
  name: 'payment_address_watch_over_or_look_back_due',
  text: `select where exists (${IS_ANY_OVER.text}) or exists (select from payments.payment_address
    where chain_name = $1 and look_back_at <= $2::timestamptz)`,
}

/** Where blocks were dropped, what was in them is found again first. What a chain's cursor says of is the most that was read. */
const END_UNREAD = {
  name: 'payment_address_end_unread',
  text: `update payments.payment_address as ended set look_back_at = least(look_back_at, $2::timestamptz),
      last_read_block = coalesce((select block_number from payments.address_cursor as cursor
        where cursor.chain_name = ended.chain_name and scope = 'all'), 0)
    from (select tenant_id, payment_id, chain_name from payments.payment_address as over
      where last_read_block is null and watch_until < $1::timestamptz and not exists (select from payments.address_cursor as cursor
        where cursor.chain_name = over.chain_name and scope = 'all' and block_hash = '0x') for update skip locked) as ending
    where ended.tenant_id = ending.tenant_id and ended.payment_id = ending.payment_id and ended.chain_name = ending.chain_name`,
}

/** One that is opened again at this moment is left to the next time. */
const END = `update payments.payment_address as ended set last_read_block = ?::bigint, look_back_at = least(look_back_at, ?::timestamptz) from (
    select tenant_id, payment_id, chain_name from payments.payment_address
    where chain_name = ? and last_read_block is null and watch_until < ?::timestamptz for update skip locked) as ending
  where ended.tenant_id = ending.tenant_id and ended.payment_id = ending.payment_id and ended.chain_name = ending.chain_name`

const LOOK_BACKS_DUE = {
  name: 'payment_address_look_backs_due',
  text: `select ${COLUMNS} from payments.payment_address
    where chain_name = $1 and look_back_at <= $2::timestamptz order by look_back_at limit $3`,
}

/** Nobody moves it before the transaction ends. */
const IS_STILL_AT = `select 1 as one from payments.address_cursor where chain_name = ? and scope = 'all' and block_number = ?::bigint and block_hash = ?
  for share`

const KEY = `tenant_id = ? and payment_id = ? and chain_name = ?`

/** As it was before the chain was read: since then nobody has opened it again, or ended its watch. */
const SAME = `select laid_before::text as "laidBefore" from payments.payment_address where ${KEY} and watch_until = ?::timestamptz
  and last_read_block is not distinct from ?::bigint for update`

const FOUND = `select coalesce(sum(amount), 0)::text as amount from payments.deposit where ${KEY} and not is_undone and block_number <= ?::bigint`

/** What a payment has paid besides, at the same address, is booked: nobody has to be told of it again. */
const HELD = `select coalesce(sum(actual::numeric), 0)::text as amount from payments.difference
  where kind = 'held_deposit' and starts_with(subject, ?) and not exists (select from payments.deposit
    where ${KEY} and not is_undone and hash = substr(subject, length(?) + 1))`

const LAY = `update payments.payment_address set laid_before = ?::numeric, look_back_at = ?::timestamptz where ${KEY}`

const PUT_OFF = {
  name: 'payment_address_look_back_put_off',
  text: `update payments.payment_address set look_back_at = $4::timestamptz
    where tenant_id = $1 and payment_id = $2 and chain_name = $3 and look_back_at is not null
      and watch_until = $5::timestamptz and last_read_block is not distinct from $6::bigint`,
}

/** Addresses whose watch is over, and what came there that nobody has read. */
export function endedWatches(db: Database) {
  const { pool } = db
  return {
    /** Whether the watch of an address on a chain is over by then, and its end was not written down. */
    isAnyOver: async (chainName: string, at: Date): Promise<boolean> =>
      (await run(pool, IS_ANY_OVER, [chainName, at.toISOString()])).length > 0,
    /**
     * Ends the watches that are over, unless their chain has been read on, or anew, meanwhile.
     * @param read.madeAt when the block was made that was read last: what came in time is in no block after it
     * @param read.lookBackAt when it is asked what came to them since
     */
    endWatches: (chainName: string, read: { upTo: ReadUpTo; madeAt: Date; lookBackAt: Date }): Promise<void> =>
      inTransaction(db, async (em) => {
        if (!(await isStillAt(em, chainName, read.upTo))) return
        const until = [read.upTo.block.toString(), read.lookBackAt.toISOString()]
        await executeIn(em, END, [...until, chainName, read.madeAt.toISOString()])
      }),
    /** Whether `isAnyOver`, or an address of the chain is to be looked back at. */
    isAnyDue: async (chainName: string, at: Date): Promise<boolean> =>
      (await run(pool, IS_ANY_DUE, [chainName, at.toISOString()])).length > 0,
    /** Ends the watches of all chains that were over before a moment, whatever was read since; those of dropped blocks are left. */
    endUnread: async (before: Date, lookBackAt: Date): Promise<void> => {
      await run(pool, END_UNREAD, [before.toISOString(), lookBackAt.toISOString()])
    },
    /** The addresses of a chain that are to be looked back at, those first that wait the longest. */
    lookBacksDue: async (chainName: string, now: Date, limit: number): Promise<PaymentAddress[]> =>
      (await run<AddressRow>(pool, LOOK_BACKS_DUE, [chainName, now.toISOString(), limit])).map(addressFromRow),
    /**
     * Looks back at an address later, unless it was opened again, or its watch ended, since it was read.
     * @param until null: not any more
     */
    putOffLookBack: async (address: PaymentAddress, until: Date | null): Promise<void> => {
      const { tenantId, paymentId, chainName, watchUntil, lastReadBlock } = address
      const was = [watchUntil.toISOString(), lastReadBlock?.toString() ?? null]
      await run(pool, PUT_OFF, [tenantId, paymentId, chainName, until?.toISOString() ?? null, ...was])
    },
    /**
     * Writes down, in the transaction of `em`, what came to an address and was not read: of all that came by a block, what was not found.
     * Where the address is watched the chain is read on from there, so that nothing is told twice, and nothing left out.
     * @param address as it was before the chain was read up to that block
     * @returns what was known and what lies there; undefined, with nothing written, where the address or the chain has changed since
     */
    layUnread: async (
      em: EntityManager,
      address: PaymentAddress,
      { upTo, came, nextAt }: CameBy,
    ): Promise<Laid | undefined> => {
      const { tenantId, paymentId, chainName, watchUntil, lastReadBlock } = address
      const key = [tenantId, paymentId, chainName]
      if (!(await isStillAt(em, chainName, upTo))) return undefined
      const was = [watchUntil.toISOString(), lastReadBlock?.toString() ?? null]
      const [same] = await executeIn<{ laidBefore: string }>(em, SAME, [...key, ...was])
      if (!same) return undefined
      const [found] = await executeIn<{ amount: string }>(em, FOUND, [...key, upTo.block.toString()])
      const unread = came - BigInt(found?.amount ?? 0)
      const laid = unread > 0n ? unread : 0n
      await executeIn(em, LAY, [laid.toString(), nextAt?.toISOString() ?? null, ...key])
      const begins = `${chainName}:${paymentId}:`
      const [held] = await executeIn<{ amount: string }>(em, HELD, [begins, ...key, begins])
      return { known: BigInt(same.laidBefore), laid, held: held?.amount ?? '0' }
    },
  }
}

async function isStillAt(em: EntityManager, chainName: string, { block, blockHash }: ReadUpTo): Promise<boolean> {
  return (await executeIn(em, IS_STILL_AT, [chainName, block.toString(), blockHash])).length > 0
}
