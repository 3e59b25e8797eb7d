import type { JobRequest } from '../../../kernel/jobs.js'
import { PLANS_MAX } from '../store/missing-jobs.js'

export const SETTLE_CHAIN = 'settle-chain'

/** Which chain's payouts to bring on. */
export interface SettleChainJob {
  chainName: string
}

/** Before what waits already: otherwise the first of many payouts would start when the last charge is confirmed. */
export const SETTLE_PRIORITY = -10

/**
 * Brings a chain's payouts on after a payment's were written down. At most a few runs are planned at a time, however many
 * payouts wait, and all but one of them find the treasury taken.
 */
export function settlePaymentJob(chainName: string, paymentId: string): JobRequest {
  const plan = Buffer.from(paymentId).reduce((sum, byte) => sum + byte, 0) % PLANS_MAX
  return {
    name: SETTLE_CHAIN,
    payload: { chainName },
    key: `${SETTLE_CHAIN}:${chainName}:${plan}`,
    priority: SETTLE_PRIORITY,
  }
}

/** Brings a chain's payouts on, now or soon; one such run is planned at a time. */
export function settleChainJob(chainName: string, runAt?: Date): JobRequest {
  const payload: SettleChainJob = { chainName }
  return {
    name: SETTLE_CHAIN,
    payload,
    key: `${SETTLE_CHAIN}:${chainName}`,
    priority: SETTLE_PRIORITY,
    ...(runAt && { runAt }),
  }
}

/**
 * The same once a run has ended, for what it has left for later. It has a key of its own: what is wanted while that run goes on
 * is planned under the other, and must not be put off with it.
 */
export function settleChainAgainJob(chainName: string, runAt: Date): JobRequest {
  return { ...settleChainJob(chainName, runAt), key: `${SETTLE_CHAIN}:${chainName}:again` }
}
