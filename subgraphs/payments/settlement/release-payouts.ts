import type { Clock } from '../../../kernel/clock.js'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import { addJob } from '../../../kernel/jobs.js'
import { settlePaymentJob } from './settlement-jobs.js'

const RELEASE = `update payments.payout set state = 'waiting', not_before = ?,
    hold_reason = case hold_reason when 'wallet_refused' then 'released' end
  where payment_id = ? and (state = 'held' or state = 'waiting' and hold_reason = 'delay')
  returning chain_name as "chainName"`

/**
 * Has a payment's receivers paid although something holds them (see `HoldReason`): an operator's decision. Who decides
 * otherwise gives the money back, and what is held is cancelled by itself.
 * @returns how many payouts were held
 */
export function releasePayouts(db: Database, clock: Clock, paymentId: string): Promise<number> {
  return inTransaction(db, async (em) => {
    const released = await executeIn<{ chainName: string }>(em, RELEASE, [clock.now().toISOString(), paymentId])
    for (const chainName of new Set(released.map((payout) => payout.chainName))) {
      await addJob(em, clock, settlePaymentJob(chainName, paymentId))
    }
    return released.length
  })
}
