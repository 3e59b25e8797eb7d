import type { EntityManager } from '@mikro-orm/postgresql'
import type { ReadUpTo } from '../../../chains/evm/read-deposits.js'
import { executeIn, inTransaction, run, type Database } from '../../../kernel/database.js'
import type { Deposit, NewDeposit, PaymentAddress } from '../model/payment-address.js'
import { addressRoom } from './address-room.js'
import { addDeposits, undoDeposits } from './found-deposits.js'
import { tolerances } from './tolerances.js'
import { unreadChains } from './unread-chains.js'

/** Which payment's address, on which chain. */
export type AddressReference = Pick<PaymentAddress, 'tenantId' | 'paymentId' | 'chainName'>

const COLUMNS = `tenant_id as "tenantId", payment_id as "paymentId", chain_name as "chainName", address,
  split_version as "splitVersion", token, decimals, due::text as due, trim_scale(tolerance_percent)::text as "tolerancePercent",
  opened_block::text as "fromBlock", laid_before::text as "laidBefore", expires_at as "expiresAt", watch_until as "watchUntil", shared::text as shared,
  booked::text as booked, look_at as "lookAt"`

const FIND = {
  name: 'payment_address_find',
  text: `select ${COLUMNS} from payments.payment_address where tenant_id = $1 and payment_id = any($2)`,
}

const KEY = `tenant_id = ? and payment_id = ? and chain_name = ?`

const LOAD = `select ${COLUMNS} from payments.payment_address where ${KEY}`

/** An address that is opened again is watched from where it was. */
const OPEN = `insert into payments.payment_address (tenant_id, payment_id, chain_name, address, split_version, token, decimals, due,
    tolerance_percent, from_block, opened_block, laid_before, expires_at, watch_until)
  values (?, ?, ?, ?, ?::int, ?, ?, ?::numeric, ?::numeric, ?::bigint, ?::bigint, ?::numeric, ?::timestamptz, ?::timestamptz)
  on conflict (tenant_id, payment_id, chain_name) do update set due = excluded.due, token = excluded.token,
    decimals = excluded.decimals, tolerance_percent = excluded.tolerance_percent, opened_block = excluded.opened_block,
    expires_at = excluded.expires_at, watch_until = excluded.watch_until`

const DECIDED = `update payments.payment_address set look_at = ?::timestamptz, shared = ?::numeric where ${KEY}`

const BOOKED = `update payments.payment_address set booked = ?::numeric where ${KEY}`

/** What came before counts towards a price that is locked anew, or is accepted. */
const COUNT_AGAIN = `update payments.deposit set is_applied = false where ${KEY} and not is_undone`

const ACCEPT = `update payments.payment_address set due = ?::numeric, shared = ?::numeric, look_at = null where ${KEY}`

const APPLY = `update payments.deposit set is_applied = true where ${KEY} and (verdict is not null or is_undone)`

/** What has come and was not counted, and what is to be looked at again: each under its payment's lock. */
const DUE = {
  name: 'deposit_due',
  text: `select * from (select tenant_id as "tenantId", payment_id as "paymentId" from payments.deposit
      where chain_name = $1 and not is_applied
    union select tenant_id, payment_id from payments.payment_address
      where chain_name = $1 and look_at <= $2::timestamptz) as due
    where "paymentId" > $3 order by "paymentId" limit $4`,
}

const DEPOSITS = `select hash, log_index as "logIndex", sender, amount::text as amount, mined_at as "minedAt", verdict,
    is_applied as "isApplied" from payments.deposit where ${KEY} and not is_undone order by block_number, log_index`

const JUDGE = `update payments.deposit set verdict = ?, is_applied = false
  where ${KEY} and sender = any(string_to_array(?, ',')) and verdict is null`

/** Where an operator has looked into it. */
const RELEASE = `update payments.deposit set verdict = 'allowed', is_applied = false
  where payment_id = ? and verdict = 'refused' returning 1 as one`

type Units = 'due' | 'fromBlock' | 'laidBefore' | 'shared' | 'booked'
type Times = 'expiresAt' | 'watchUntil' | 'lookAt'
type AddressRow = Omit<PaymentAddress, Units | Times> &
  Record<Units, string> &
  Record<'expiresAt' | 'watchUntil', string | Date> & { lookAt: string | Date | null } & Record<string, unknown>

/** An address, and what has come there, the oldest first. */
export interface LoadedAddress {
  address: PaymentAddress
  deposits: Deposit[]
}

/** The addresses of payments and what came there. */
export type AddressesStore = ReturnType<typeof addressesStore>

const keyOf = ({ tenantId, paymentId, chainName }: AddressReference) => [tenantId, paymentId, chainName]

/** The address is locked before its deposits, as where they are found: two that lock them in two orders would stop each other. */
async function countFound(em: EntityManager, reference: AddressReference): Promise<unknown> {
  await executeIn(em, `${LOAD} for update`, keyOf(reference))
  return executeIn(em, APPLY, keyOf(reference))
}

export function addressesStore(db: Database) {
  const { pool } = db
  const load = async (em: EntityManager, reference: AddressReference): Promise<LoadedAddress | undefined> => {
    const [row] = await executeIn<AddressRow>(em, LOAD, keyOf(reference))
    if (!row) return undefined
    const deposits = await executeIn<DepositRow>(em, DEPOSITS, keyOf(reference))
    return { address: addressFromRow(row), deposits: deposits.map(depositOf) }
  }
  return {
    ofPayments: async (tenantId: string, paymentIds: readonly string[]): Promise<PaymentAddress[][]> => {
      const rows = (await run<AddressRow>(pool, FIND, [tenantId, paymentIds])).map(addressFromRow)
      return paymentIds.map((id) => rows.filter(({ paymentId }) => paymentId === id))
    },
    /** Opens an address, or opens it again at another price, in the transaction of the payment's change. */
    open: async (em: EntityManager, address: Omit<PaymentAddress, 'shared' | 'booked' | 'lookAt'>): Promise<void> => {
      const { token, decimals, due, tolerancePercent, fromBlock, laidBefore, expiresAt, watchUntil } = address
      const what = [address.address, address.splitVersion, token, decimals, due.toString(), tolerancePercent]
      const from = [fromBlock, fromBlock, laidBefore].map(String)
      const until = [expiresAt.toISOString(), watchUntil.toISOString()]
      await executeIn(em, OPEN, [...keyOf(address), ...what, ...from, ...until])
      await executeIn(em, COUNT_AGAIN, keyOf(address))
    },
    /** Takes what has come for what is due, in the transaction of `em`. */
    accept: (em: EntityManager, reference: AddressReference, due: bigint): Promise<unknown> =>
      executeIn(em, ACCEPT, [due.toString(), due.toString(), ...keyOf(reference)]),
    /** In the transaction of `em`. */
    load,
    /** In a transaction of its own. */
    read: (reference: AddressReference): Promise<LoadedAddress | undefined> =>
      inTransaction(db, (em) => load(em, reference)),
    /** Writes down whether senders may pay, of deposits that nobody has asked about. */
    judge: (reference: AddressReference, senders: readonly string[], verdict: 'allowed' | 'refused'): Promise<void> =>
      inTransaction(db, async (em) => {
        await executeIn(em, JUDGE, [verdict, ...keyOf(reference), senders.join(',')])
      }),
    /** Lets what was refused of a payment count. Returns how many deposits that were. */
    release: (paymentId: string): Promise<number> =>
      inTransaction(db, async (em) => (await executeIn(em, RELEASE, [paymentId])).length),
    /** Marks what has come as counted; to be called before it is loaded, so that what comes between is counted again. */
    count: countFound,
    /**
     * Writes down what was decided.
     * @param lookAt when to look again though nothing comes, or null
     * @param shared of what came, how much the receivers get
     */
    decided: async (
      em: EntityManager,
      reference: AddressReference,
      lookAt: Date | null,
      shared: bigint,
    ): Promise<void> => {
      await executeIn(em, DECIDED, [lookAt?.toISOString() ?? null, shared.toString(), ...keyOf(reference)])
    },
    /** Writes down how much of what was shared out is booked. */
    booked: (em: EntityManager, reference: AddressReference, booked: bigint): Promise<unknown> =>
      executeIn(em, BOOKED, [booked.toString(), ...keyOf(reference)]),
    /** @param page.after the payment that the page before ended with */
    due: (
      chainName: string,
      now: Date,
      { after, limit }: { after: string; limit: number },
    ): Promise<{ tenantId: string; paymentId: string }[]> =>
      run<{ tenantId: string; paymentId: string }>(pool, DUE, [chainName, now.toISOString(), after, limit]),
    ...addressRoom(db),
    ...tolerances(db),
    ...watchReads(db),
    ...unreadChains(db),
  }
}

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

const IS_WATCHED = `case when $1 = 'open' then expires_at else watch_until end > $3::timestamptz`

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

/** Up to where chains were read for what comes to addresses. */
function watchReads(db: Database) {
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
        await undoDeposits(em, chainName, to.block)
      }),
  }
}

interface SpanRow extends Record<string, unknown> {
  addresses: number
  block: string | null
}

interface DepositRow extends Omit<Deposit, 'amount' | 'minedAt'> {
  amount: string
  minedAt: string | Date
}

function addressFromRow(found: AddressRow): PaymentAddress {
  const { due, fromBlock, laidBefore, shared, booked, expiresAt, watchUntil, lookAt, ...row } = found
  const blocks = { fromBlock: BigInt(fromBlock), laidBefore: BigInt(laidBefore) }
  const units = { ...blocks, due: BigInt(due), shared: BigInt(shared), booked: BigInt(booked) }
  const times = { expiresAt: new Date(expiresAt), watchUntil: new Date(watchUntil), lookAt: lookAt && new Date(lookAt) }
  return { ...row, ...units, ...times } as PaymentAddress
}

function depositOf({ amount, minedAt, ...row }: DepositRow): Deposit {
  return { ...row, amount: BigInt(amount), minedAt: new Date(minedAt) }
}
