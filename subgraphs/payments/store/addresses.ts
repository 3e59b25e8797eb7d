import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn, inTransaction, run, type Database } from '../../../kernel/database.js'
import type { Deposit, OpenedAddress, PaymentAddress } from '../model/payment-address.js'
import { addressRoom } from './address-room.js'
import { addressFromRow, COLUMNS, type AddressRow } from './address-rows.js'
import { endedWatches } from './ended-watches.js'
import { tolerances } from './tolerances.js'
import { unreadChains } from './unread-chains.js'
import { watchReads } from './watched-addresses.js'

/** Which payment's address, on which chain. */
export type AddressReference = Pick<PaymentAddress, 'tenantId' | 'paymentId' | 'chainName'>

const FIND = {
  name: 'payment_address_find',
  text: `select ${COLUMNS} from payments.payment_address where tenant_id = $1 and payment_id = any($2)`,
}

const KEY = `tenant_id = ? and payment_id = ? and chain_name = ?`

const LOAD = `select ${COLUMNS} from payments.payment_address where ${KEY}`

const LOCK = `${LOAD} for update`

/**
 * An address that is opened again is watched from where it was. What came between two watches was not read, and of what lay there before the
 * first one nobody knows at which block it did: then the chain is asked for it once it was read on.
 */
const OPEN = `insert into payments.payment_address (tenant_id, payment_id, chain_name, address, split_version, token, decimals, due,
    tolerance_percent, from_block, opened_block, laid_before, expires_at, watch_until, look_back_at)
  values (?, ?, ?, ?, ?::int, ?, ?, ?::numeric, ?::numeric, ?::bigint, ?::bigint, ?::numeric, ?::timestamptz, ?::timestamptz,
    case when ?::numeric > 0 then 'epoch'::timestamptz end)
  on conflict (tenant_id, payment_id, chain_name) do update set due = excluded.due, token = excluded.token,
    decimals = excluded.decimals, tolerance_percent = excluded.tolerance_percent, opened_block = excluded.opened_block,
    expires_at = excluded.expires_at, watch_until = excluded.watch_until, last_read_block = null,
    look_back_at = case when payment_address.watch_until < excluded.expires_at then 'epoch' else payment_address.look_back_at end`

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
  await executeIn(em, LOCK, keyOf(reference))
  return executeIn(em, APPLY, keyOf(reference))
}

async function loadBy(sql: string, em: EntityManager, reference: AddressReference): Promise<LoadedAddress | undefined> {
  const [row] = await executeIn<AddressRow>(em, sql, keyOf(reference))
  if (!row) return undefined
  const deposits = await executeIn<DepositRow>(em, DEPOSITS, keyOf(reference))
  return { address: addressFromRow(row), deposits: deposits.map(depositOf) }
}

export function addressesStore(db: Database) {
  const { pool } = db
  return {
    ofPayments: async (tenantId: string, paymentIds: readonly string[]): Promise<PaymentAddress[][]> => {
      const rows = (await run<AddressRow>(pool, FIND, [tenantId, paymentIds])).map(addressFromRow)
      return paymentIds.map((id) => rows.filter(({ paymentId }) => paymentId === id))
    },
    /** Opens an address, or opens it again at another price, in the transaction of the payment's change. */
    open: async (em: EntityManager, address: OpenedAddress): Promise<void> => {
      const { token, decimals, due, tolerancePercent, fromBlock, laidBefore, expiresAt, watchUntil } = address
      const what = [address.address, address.splitVersion, token, decimals, due.toString(), tolerancePercent]
      const from = [fromBlock, fromBlock, laidBefore].map(String)
      const until = [expiresAt.toISOString(), watchUntil.toISOString()]
      await executeIn(em, OPEN, [...keyOf(address), ...what, ...from, ...until, laidBefore.toString()])
      await executeIn(em, COUNT_AGAIN, keyOf(address))
    },
    /** Takes what has come for what is due, in the transaction of `em`. */
    accept: (em: EntityManager, reference: AddressReference, due: bigint): Promise<unknown> =>
      executeIn(em, ACCEPT, [due.toString(), due.toString(), ...keyOf(reference)]),
    /** In the transaction of `em`. */
    load: (em: EntityManager, reference: AddressReference): Promise<LoadedAddress | undefined> =>
      loadBy(LOAD, em, reference),
    /** The same, locked; before other addresses in the same transaction, so that two never wait for each other. */
    loadLocked: (em: EntityManager, reference: AddressReference): Promise<LoadedAddress | undefined> =>
      loadBy(LOCK, em, reference),
    /** In a transaction of its own. */
    read: (reference: AddressReference): Promise<LoadedAddress | undefined> =>
      inTransaction(db, (em) => loadBy(LOAD, em, reference)),
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
    ...endedWatches(db),
    ...unreadChains(db),
  }
}

interface DepositRow extends Omit<Deposit, 'amount' | 'minedAt'> {
  amount: string
  minedAt: string | Date
}

function depositOf({ amount, minedAt, ...row }: DepositRow): Deposit {
  return { ...row, amount: BigInt(amount), minedAt: new Date(minedAt) }
}
