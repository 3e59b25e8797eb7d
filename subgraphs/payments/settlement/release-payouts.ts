import type { Clock } from '../../../kernel/clock.js'
import { executeIn, inTransaction, type Database, type Transaction } from '../../../kernel/database.js'
import { addJob } from '../../../kernel/jobs.js'
import { settlePaymentJob } from './settlement-jobs.js'

const RELEASE = `update payments.payout set state = 'waiting', not_before = ?,
    hold_reason = case hold_reason when 'wallet_refused' then 'released' end
  where payment_id = ? and (state = 'held' or state = 'waiting' and hold_reason = 'delay')
  returning chain_name as "chainName"`

/** A payment's payouts that are released. */
export interface ReleasedPayouts {
  count: number
  chainName: string
}

/**
 * Has a payment's receivers paid although something holds them (see `HoldReason`): an operator's decision. Who decides
 * otherwise gives the money back, and what is held is cancelled by itself, unless a transaction of it may have landed.
 * @param em of the transaction that it is part of
 * @returns undefined where none was held
 */
export async function releaseIn(
  em: Transaction,
  clock: Clock,
  paymentId: string,
): Promise<ReleasedPayouts | undefined> {
  const released = await executeIn<{ chainName: string }>(em, RELEASE, [clock.now().toISOString(), paymentId])
  const [first] = released
  // All of a payment's receivers are paid on one chain.
  if (first) await addJob(em, clock, settlePaymentJob(first.chainName, paymentId))
  return first && { count: released.length, chainName: first.chainName }
}

/** The same by itself. @returns how many payouts were held */
export async function releasePayouts(db: Database, clock: Clock, paymentId: string): Promise<number> {
  return (await inTransaction(db, (em) => releaseIn(em, clock, paymentId)))?.count ?? 0
}
