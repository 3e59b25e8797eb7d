import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import type { Clock } from '../../../kernel/clock.js'
import { ADD_LEG, ADD_TRANSACTION, FOUND } from './foreign-holds.js'

/** A payout in coins that is held since the treasury may have made it before a restore, by a transaction that nobody has named yet. */
export interface HeldCoins extends Record<string, unknown> {
  tenantId: string
  paymentId: string
  splitIndex: number
  chainName: string
  receiver: string
  symbol: string
  amount: string
  attempt: number
}

/** A transaction that has sent coins. */
interface CoinsSent {
  account: string
  hash: string
  blockNumber: number
  raw: string
  /** How many it can have paid with, a decimal string; undefined where the chain does not tell. */
  most: string | undefined
}

/** What a transaction holds has a leg of it. */
const HELD = `select tenant_id as "tenantId", payment_id as "paymentId", leg as "splitIndex", chain_name as "chainName", receiver, symbol,
    amount, attempt
  from payments.payout as payout where payment_id = ? and state = 'held' and coins_held_at is not null
    and coalesce(hold_reason, 'unproven') = 'unproven' and not exists (select from payments.batch_leg as leg
      where leg.tenant_id = payout.tenant_id and leg.payment_id = payout.payment_id and leg.leg = payout.leg
        and leg.attempt = payout.attempt)
  order by leg`

const BATCH_OF = `select batch_id as "batchId", (select coalesce(sum(leg.amount::numeric), 0) + ?::numeric > ?::numeric
    from payments.batch_leg as leg where leg.batch_id = transaction.batch_id) as "isTooMuch"
  from payments.treasury_transaction as transaction where chain_name = ? and hash = ?`

/** Payouts in coins that wait for somebody to find out whether they were made. */
export function heldCoinsStore(db: Database, clock: Clock) {
  return {
    /** Those of a payment. */
    find: (paymentId: string): Promise<HeldCoins[]> =>
      inTransaction(db, (em) => executeIn<HeldCoins>(em, HELD, [paymentId])),
    /**
     * Writes down that a transaction holds a payout, so that it can be decided about like any other that was found on the chain.
     * @returns its id; undefined where the payout is held no more, or the transaction is another's, or has sent less
     */
    name: (
      { tenantId, paymentId, splitIndex, chainName, amount }: HeldCoins,
      { account, hash, blockNumber, raw, most }: CoinsSent,
    ): Promise<string | undefined> =>
      inTransaction(db, async (em) => {
        const held = await executeIn<HeldCoins>(em, `${HELD} for update of payout`, [paymentId])
        const payout = held.find((one) => one.splitIndex === splitIndex && one.amount === amount)
        if (!payout) return undefined
        const id = `${FOUND}${hash}`
        const now = clock.now().toISOString()
        await executeIn(em, ADD_TRANSACTION, [chainName, hash, account, id, raw, now, blockNumber])
        type Row = { batchId: string; isTooMuch: boolean | null }
        const [batch] = await executeIn<Row>(em, BATCH_OF, [amount, most ?? null, chainName, hash])
        if (batch?.batchId !== id || batch.isTooMuch === true) return undefined
        await executeIn(em, ADD_LEG, [id, tenantId, paymentId, splitIndex, payout.attempt, amount, null, id])
        return id
      }),
  }
}
