import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import { TENANT, WITHHELD_RESERVE } from '../model/ledger-entries.js'
import type { TreasuryAccount } from './begun-accounts.js'
import type { Payout } from './payout.entity.js'

/** How the ids of transactions begin that were found on the chain. */
export const FOUND = 'foreign:'

/** Something that an account has sent and that the database did not know. */
export interface StoredForeignTransfer {
  hash: string
  logIndex: number
  blockNumber: number
  receiver: string
  symbol: string
  amount: string
  minedAt: Date
  /** What it names the payments by that it may be for; none where it names nobody. */
  references: readonly string[]
}

/** Such a transfer as it is found for a payout. */
export interface FoundTransfer extends StoredForeignTransfer, Pick<TreasuryAccount, 'account'> {
  /** How much of it has paid nobody yet as far as is known. */
  leftAmount: string
  /** Whether it carries the reference of the payout's payment. */
  isNamed: boolean
}

/** What names a payment on the payouts' chain. */
export type ReferenceOf = (paymentId: string) => string

/** A payout, by what it is known by. */
export type PayoutPlace = Pick<Payout, 'tenantId' | 'paymentId' | 'splitIndex'>

/** Clocks differ, ours and those of who makes blocks; on Solana the times of blocks are estimates in whole seconds. */
export const CLOCKS = `interval '1 hour'`

/** The entry of what was taken off a payout for its tenant's reserve. @param payout a row of it, by its name */
export const reserveOf = (payout: string): string => `'${WITHHELD_RESERVE}' || ${payout}.leg`

/** What refunds have taken off a payout; its reserve was off it before it could leave. @param payout a row of it, by its name */
export const refundedOf = (payout: string): string => `${payout}.withheld::numeric - coalesce((
    select max(line.debit) from payments.ledger_line as line
    where line.tenant_id = ${payout}.tenant_id and line.payment_id = ${payout}.payment_id and line.currency = ${payout}.symbol
      and line.account = '${TENANT}' and line.entry = ${reserveOf(payout)}), 0)`

/** @param held a leg of what was found, @param own what is known of the payout */
const ofPayment = (held: string, own: string): string =>
  `${held}.tenant_id = ${own}.tenant_id and ${held}.payment_id = ${own}.payment_id`

/**
 * Whether a transfer that carries a payment's reference is for this payout, whatever it has sent: a refund may have been lost with the
 * database. Where several of the payment's payouts go to the receiver, it is the one of that amount. One that was taken for another
 * payment's by its amount is this one's all the same; what has held this payout before was decided about.
 */
const IS_FOR = `(transfer.amount = given.amount or not exists (select from payments.payout as other
      where ${ofPayment('other', 'given')} and other.leg <> given.leg and lower(other.receiver) = lower(given.receiver)))
    and not exists (select from payments.batch_leg as held join payments.payout as other using (tenant_id, payment_id, leg)
      where held.batch_id = '${FOUND}' || transfer.hash and ${ofPayment('held', 'given')}
        and (held.leg = given.leg or transfer.left_amount < transfer.amount and lower(other.receiver) = lower(given.receiver)))`

/**
 * The transfer that may have paid each payout: one that carries its payment's reference, or else the oldest of which nobody knows whom it
 * has paid, of its own amount, of what it was before refunds, which may have been ordered after it had left, or of more where one transfer
 * pays a receiver several payouts. What carries other references is taken last: whose they are may come to it later.
 */
const MATCHES = `select distinct on (place) given.place, transfer.hash, transfer.log_index as "logIndex",
    transfer.block_number::float8 as "blockNumber", transfer.receiver, transfer.symbol, trim_scale(transfer.amount)::text as amount,
    trim_scale(transfer.left_amount)::text as "leftAmount", transfer.mined_at as "minedAt", transfer.account,
    coalesce(transfer.payment_references, '{}') as "references", named.by as "isNamed"
  from json_to_recordset(?::json) as given (place int, tenant_id text, payment_id text, leg int, receiver text, symbol text,
    amount numeric, withheld numeric, reference text)
  join payments.payment as payment on payment.tenant_id = given.tenant_id and payment.id = given.payment_id
  join payments.foreign_transfer as transfer on transfer.chain_name = ? and lower(transfer.receiver) = lower(given.receiver)
    and transfer.symbol = given.symbol and transfer.mined_at >= payment.created_at - ${CLOCKS}
  cross join lateral (select coalesce(given.reference = any(transfer.payment_references), false) as by) as named
  where named.by and ${IS_FOR}
    or transfer.left_amount > 0 and transfer.left_amount >= given.amount
      and (?::boolean or transfer.left_amount <= given.amount + ${refundedOf('given')})
  order by place, named.by desc, transfer.left_amount = given.amount desc,
    coalesce(cardinality(transfer.payment_references), 0) > 0, transfer.block_number, transfer.log_index`

const hold = (
  besides: string,
): string => `update payments.payout set state = 'held', hold_reason = 'unproven', attempt = attempt + 1${besides}
  where tenant_id = ? and payment_id = ? and leg = ? and state = 'waiting' and attempt = ? returning attempt`

const HOLD = hold('')

const HOLD_COINS = hold(', coins_held_at = ?::timestamptz')

/** One that carries the payment's reference is claimed whoever has it. */
const CLAIM = `update payments.foreign_transfer set batch_id = ?, left_amount = greatest(left_amount - ?::numeric, 0)
  where chain_name = ? and hash = ? and log_index = ? and (left_amount >= ?::numeric or ?::boolean) returning batch_id`

/** Who of a receiver and a token is held by what was found, and all the references that it carries, of whichever of its transfers. */
const HELD_BY = `select leg.tenant_id as "tenantId", leg.payment_id as "paymentId", leg.leg as "splitIndex",
    array(select unnest(payment_references) from payments.foreign_transfer where chain_name = ? and hash = ?) as "references"
  from payments.batch_leg as leg join payments.payout as payout using (tenant_id, payment_id, leg, attempt)
  where leg.batch_id = ? and payout.state = 'held' and lower(payout.receiver) = lower(?) and payout.symbol = ?
  order by leg.position`

const DROP_LEG = `delete from payments.batch_leg where batch_id = ? and tenant_id = ? and payment_id = ? and leg = ? returning amount`

/** What a leg has claimed goes back to a transfer that it fits: the payment that this one names may have another share in it. */
const GIVE_BACK = `update payments.foreign_transfer as transfer set left_amount = transfer.left_amount + claimed.given
  from (select hash, log_index, ?::numeric as given from payments.foreign_transfer
    where chain_name = ? and hash = ? and lower(receiver) = lower(?) and symbol = ? and left_amount + ?::numeric <= amount
    order by amount - left_amount, log_index limit 1) as claimed
  where transfer.chain_name = ? and transfer.hash = claimed.hash and transfer.log_index = claimed.log_index`

/** What was found on the chain, with the payouts that wait for a decision about it. */
export const ADD_TRANSACTION = `insert into payments.treasury_transaction
    (chain_name, hash, account, batch_id, version, nonce, raw, state, created_at, slot)
  values (?, ?, ?, ?, 0, null, ?, 'unexpected', ?::timestamptz, ?::bigint) on conflict do nothing`

/** Far from the places that the chain's own word of a batch is about. */
export const ADD_LEG = `insert into payments.batch_leg (batch_id, position, tenant_id, payment_id, leg, attempt, amount, outcome, is_named)
  select ?, greatest(1000, max(position) + 1), ?, ?, ?, ?, ?, 'unproven', ?::boolean from payments.batch_leg where batch_id = ?`

/** What finds the transfers that may have made payouts, and holds these, under the treasury's lock. */
export function foreignHolds(db: Database, now: () => string) {
  return {
    /**
     * For each payout a transfer that may have paid it, by its place among them; several may be shown the same one.
     * @param areMerged whether one transfer may pay a receiver several payouts
     */
    matches: (
      chainName: string,
      payouts: readonly Payout[],
      { areMerged, referenceOf }: { areMerged: boolean; referenceOf: ReferenceOf },
    ): Promise<Map<number, FoundTransfer>> =>
      inTransaction(db, async (em) => {
        const given = payouts.map(({ tenantId, paymentId, splitIndex, receiver, symbol, amount, withheld }, place) => {
          const of = { tenant_id: tenantId, payment_id: paymentId, leg: splitIndex, reference: referenceOf(paymentId) }
          return { place, ...of, receiver, symbol, amount, withheld }
        })
        type Row = FoundTransfer & { place: number }
        const rows = await executeIn<Row>(em, MATCHES, [JSON.stringify(given), chainName, areMerged])
        return new Map(rows.map(({ place, ...transfer }) => [place, transfer]))
      }),
    /**
     * Holds a payout that a transfer may have made, with the transaction that an operator decides about; several payouts of one
     * transaction are its legs. By a transfer that carries its payment's reference those of its receiver lose their legs whom the transaction
     * holds by an amount alone: it was for others, and they stay held until an operator lets them go.
     * @param paid what of the transfer is the payout's; more than its amount where a refund was taken off it since
     * @returns the transaction's id; undefined where the payout waits no more
     */
    hold: (
      chainName: string,
      payout: Payout,
      transfer: FoundTransfer,
      { raw, paid, referenceOf }: { raw: string; paid: string; referenceOf: ReferenceOf },
      /** In the same transaction. @param left those who have lost their legs */
      also: (em: EntityManager, id: string, left: readonly PayoutPlace[]) => Promise<void>,
    ): Promise<string | undefined> =>
      inTransaction(db, async (em) => {
        const { tenantId, paymentId, splitIndex, attempt } = payout
        const { hash, logIndex, blockNumber, account, isNamed } = transfer
        const batchId = `${FOUND}${hash}`
        const [held] = await executeIn<{ attempt: number }>(em, HOLD, [tenantId, paymentId, splitIndex, attempt])
        if (!held) return undefined
        const left = isNamed ? await dropUnnamed(em, chainName, transfer, referenceOf) : []
        const claimed = await executeIn(em, CLAIM, [batchId, paid, chainName, hash, logIndex, paid, isNamed])
        if (claimed.length === 0) throw new Error('a transfer was claimed without the lock of its treasury')
        await executeIn(em, ADD_TRANSACTION, [chainName, hash, account, batchId, raw, now(), blockNumber])
        const leg = [tenantId, paymentId, splitIndex, held.attempt, paid, isNamed]
        await executeIn(em, ADD_LEG, [batchId, ...leg, batchId])
        await also(em, batchId, left)
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

/** Takes the legs from those of a receiver whom a transaction holds that carries none of their references. @returns who they are */
async function dropUnnamed(
  em: EntityManager,
  chainName: string,
  { hash, receiver, symbol }: FoundTransfer,
  referenceOf: ReferenceOf,
): Promise<PayoutPlace[]> {
  const batchId = `${FOUND}${hash}`
  type Row = PayoutPlace & { references: readonly string[] }
  const held = await executeIn<Row>(em, HELD_BY, [chainName, hash, batchId, receiver, symbol])
  const left = held.filter(({ paymentId, references }) => !references.includes(referenceOf(paymentId)))
  for (const { tenantId, paymentId, splitIndex } of left) {
    const [leg] = await executeIn<{ amount: string }>(em, DROP_LEG, [batchId, tenantId, paymentId, splitIndex])
    const amount = leg?.amount ?? '0'
    await executeIn(em, GIVE_BACK, [amount, chainName, hash, receiver, symbol, amount, chainName])
  }
  return left
}
