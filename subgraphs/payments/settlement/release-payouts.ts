import type { Clock } from '../../../kernel/clock.js'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import { addJob } from '../../../kernel/jobs.js'
import { settlePaymentJob } from './settlement-jobs.js'

const RELEASE = `update payments.payout set state = 'waiting', not_before = ? where payment_id = ? and state = 'held'
  returning chain_name as "chainName"`

/**
 * Has a payment's receivers paid although a part of the payer's money was taken back by force: an operator's decision. Who
 * decides otherwise gives the rest back at the provider, and what is held is cancelled by itself.
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
