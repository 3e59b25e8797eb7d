import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import type { HoldReason, WaitReason } from '../model/hold-reason.js'
import { IS_NOT_PAUSED } from './payout-pauses.js'

/** Why a payout is not paid: what holds it, what it waits for, a pause, nothing but its turn, or that its transaction is on its way. */
export type PayoutWait = Exclude<HoldReason, 'released'> | WaitReason | 'paused' | 'queued' | 'sending'

/** A payout that waits. */
export interface WaitingPayout {
  tenantId: string
  paymentId: string
  splitIndex: number
  chainName: string
  symbol: string
  amount: string
  receiver: string
  createdAt: string
  why: PayoutWait
  /** When it comes up again by itself; null where it is its turn, or an operator decides. */
  until: string | null
  /** The last transaction that was to pay it. */
  transactionId: string | null
}

/** The place of a payout among all that wait. */
export type WaitingPlace = Pick<WaitingPayout, 'createdAt' | 'paymentId' | 'splitIndex'>

/** Of a chain's token. */
export interface TokenFlow {
  chainName: string
  symbol: string
  /** What waits, how many and how much: a decimal string. */
  waitingCount: number
  waiting: string
  /** What the payers of the last 24 hours have left to be paid out; a decimal string. */
  lastDay: string
}

/** Those that no transaction on its way pays, or those that one is to pay. An index has each of the two in this order. */
const pageOf = (
  states: string,
): string => `select tenant_id as "tenantId", payment_id as "paymentId", leg as "splitIndex", chain_name as "chainName",
    symbol, trim_scale(amount::numeric)::text as amount, receiver,
    to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
    case when state = 'sending' then 'sending'
      when state = 'held' then coalesce(hold_reason, 'unproven')
      when ? or not (${IS_NOT_PAUSED}) then 'paused'
      when not_before <= ?::timestamptz then 'queued'
      when hold_reason = 'delay' then 'delay'
      else coalesce(waits_for, 'queued') end as why,
    case when state = 'waiting' and not_before > ?::timestamptz then not_before end as until,
    (select batch_id from payments.batch_leg as leg where leg.tenant_id = payout.tenant_id
      and leg.payment_id = payout.payment_id and leg.leg = payout.leg and leg.attempt = payout.attempt) as "transactionId"
  from payments.payout as payout where state ${states}
    and (?::timestamptz is null or (created_at, payment_id, leg) > (?::timestamptz, ?, ?::int))
  order by created_at, payment_id, leg limit ?`
const WAITING = pageOf(`in ('waiting', 'held')`)
const SENDING = pageOf(`= 'sending'`)

const FLOWS = `select given.chain as "chainName", given.symbol, coalesce(open.count, 0)::int as "waitingCount",
    trim_scale(coalesce(open.amount, 0))::text as waiting, trim_scale(coalesce(day.amount, 0))::text as "lastDay"
  from json_to_recordset(?::json) as given (chain text, symbol text)
  left join (select chain_name, symbol, count(*), sum(amount::numeric) as amount from payments.payout
      where state in ('waiting', 'held') group by chain_name, symbol) as open
    on open.chain_name = given.chain and open.symbol = given.symbol
  cross join lateral (select sum(amount::numeric) as amount from payments.payout
    where chain_name = given.chain and symbol = given.symbol and created_at > ?::timestamptz and state <> 'cancelled') as day`

/** What operators read of payouts. */
export function waitingPayoutsStore(db: Database) {
  return {
    /** Those that wait, or whose transaction is on its way, the oldest first. @param isPaused whether the deployment pays nobody */
    page: (
      { now, isPaused, isSending }: { now: Date; isPaused: boolean; isSending: boolean },
      after: WaitingPlace | undefined,
      limit: number,
    ): Promise<WaitingPayout[]> =>
      inTransaction(db, (em) => {
        const { createdAt = null, paymentId = '', splitIndex = 0 } = after ?? {}
        const at = now.toISOString()
        return executeIn<WaitingPayout>(em, isSending ? SENDING : WAITING, [
          isPaused,
          at,
          at,
          createdAt,
          createdAt,
          paymentId,
          splitIndex,
          limit,
        ])
      }),
    /** What waits and what has come up since, for each of the tokens. */
    flows: (tokens: readonly { chain: string; symbol: string }[], since: Date): Promise<TokenFlow[]> =>
      inTransaction(db, (em) => executeIn<TokenFlow>(em, FLOWS, [JSON.stringify(tokens), since.toISOString()])),
  }
}
