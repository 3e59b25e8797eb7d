import type { ReadUpTo } from '../../../chains/evm/read-deposits.js'
import { executeIn, inTransaction, run, type Database } from '../../../kernel/database.js'
import type { NewDeposit, PaymentAddress } from '../model/payment-address.js'
import { addressFromRow, COLUMNS, type AddressRow } from './address-rows.js'
import { addDeposits, undoDeposits } from './found-deposits.js'

/** Which of a chain's addresses are read for: those whose price holds, at every block, and all of them once a minute. */
export type WatchScope = 'open' | 'all'

/** Blocks that were read, and the cursor of all the scopes that they were read for; undefined where there was none. */
export interface ReadBlocks {
  scopes: readonly WatchScope[]
  from: ReadUpTo | undefined
  upTo: ReadUpTo
}

/** What is read for in a scope on a chain. */
export interface Watched {
  chainName: string
  scope: WatchScope
  /** The chain itself and, for `all`, those on which the same addresses would be the same contracts. */
  chainNames: readonly string[]
  /** The prices of `open` ones ran out after this, of all of them the watch. */
  after: Date
}

const IS_WATCHED = `case when $1 = 'open' then expires_at > $3::timestamptz
  else last_read_block is null and watch_until > $3::timestamptz end`

/** A page in the order of addresses; of several chains' one address the chain's own comes. */
const WATCHED = {
  name: 'payment_address_watched',
  text: `select distinct on (address) ${COLUMNS} from payments.payment_address
    where chain_name = any($2) and ${IS_WATCHED} and address > $4 order by address, chain_name = $5 desc limit $6`,
}

const SPAN = {
  name: 'payment_address_span',
  text: `select count(*)::int as addresses, min(case when $1 = 'open' then opened_block else from_block end)
      filter (where chain_name = $4)::text as block
    from payments.payment_address where chain_name = any($2) and ${IS_WATCHED}`,
}

const CURSOR = {
  name: 'address_cursor_find',
  text: `select block_number::text as block, block_hash as "blockHash" from payments.address_cursor
    where chain_name = $1 and scope = $2`,
}

/** In the order in which all of them are moved. */
const LOCK_CURSORS = `select block_number = ?::bigint and block_hash = ? as "isSame" from payments.address_cursor
  where chain_name = ? and scope = any(string_to_array(?, ',')) order by scope desc for update`

const MOVE_CURSOR = `insert into payments.address_cursor (chain_name, scope, block_number, block_hash) values (?, ?, ?::bigint, ?)
  on conflict (chain_name, scope) do update set block_number = excluded.block_number, block_hash = excluded.block_hash`

/** A cursor that is before the block stays: it would miss what is between. */
const MOVE_BACK = `update payments.address_cursor set block_number = ?::bigint, block_hash = ?
  where chain_name = ? and scope = ? and block_number >= ?::bigint`

/**
 * What a watch that is over has read by then, in part in blocks that are dropped: it goes on, and reads what takes their places. What lay at one
 * that goes on may have been read in such blocks too. They are locked in the order of `found-deposits`.
 */
const WATCH_ON = `update payments.payment_address as address set last_read_block = null, look_back_at = 'epoch' from (
    select tenant_id, payment_id, chain_name from payments.payment_address
    where chain_name = ? and (last_read_block > ?::bigint or (last_read_block is null and laid_before > 0))
    order by tenant_id, payment_id for update) as dropped
  where address.tenant_id = dropped.tenant_id and address.payment_id = dropped.payment_id and address.chain_name = dropped.chain_name`

/** Up to where chains were read for what comes to addresses. */
export function watchReads(db: Database) {
  const { pool } = db
  const valuesOf = ({ scope, chainNames, after }: Watched) => [scope, chainNames, after.toISOString()]
  return {
    /** A page of the watched addresses, in their order. */
    watched: async (watched: Watched, after: string, limit: number): Promise<PaymentAddress[]> => {
      const values = [...valuesOf(watched), after, watched.chainName, limit]
      return (await run<AddressRow>(pool, WATCHED, values)).map(addressFromRow)
    },
    /** How many addresses are watched, and from which block of the chain on its own may have got something. */
    span: async (watched: Watched): Promise<{ addresses: number; firstBlock: bigint | undefined }> => {
      const [row] = await run<SpanRow>(pool, SPAN, [...valuesOf(watched), watched.chainName])
      return { addresses: row?.addresses ?? 0, firstBlock: row?.block ? BigInt(row.block) : undefined }
    },
    cursor: async (chainName: string, scope: WatchScope): Promise<ReadUpTo | undefined> => {
      const [row] = await run<{ block: string; blockHash: `0x${string}` }>(pool, CURSOR, [chainName, scope])
      return row && { block: BigInt(row.block), blockHash: row.blockHash }
    },
    /**
     * Writes down what a range of blocks had, and that it was read: both or neither.
     * @returns false, with nothing written, where a cursor has been moved since the range was begun
     */
    record: (
      chainName: string,
      { scopes, from, upTo }: ReadBlocks,
      deposits: readonly NewDeposit[],
    ): Promise<boolean> =>
      inTransaction(db, async (em) => {
        const were = [from?.block.toString() ?? '-1', from?.blockHash ?? '', chainName, scopes.join(',')]
        const cursors = await executeIn<{ isSame: boolean }>(em, LOCK_CURSORS, were)
        // The look of the other scope has gone back meanwhile.
        if (cursors.some(({ isSame }) => !isSame)) return false
        for (const scope of scopes) {
          await executeIn(em, MOVE_CURSOR, [chainName, scope, upTo.block.toString(), upTo.blockHash])
        }
        await addDeposits(em, chainName, deposits)
        return true
      }),
    /** Goes back to a block: what came after it does not count until it is found again. */
    rewind: (chainName: string, scopes: readonly WatchScope[], to: ReadUpTo): Promise<void> =>
      inTransaction(db, async (em) => {
        const block = to.block.toString()
        for (const scope of scopes) await executeIn(em, MOVE_BACK, [block, to.blockHash, chainName, scope, block])
        await executeIn(em, WATCH_ON, [chainName, block])
        await undoDeposits(em, chainName, to.block)
      }),
  }
}

interface SpanRow extends Record<string, unknown> {
  addresses: number
  block: string | null
}
