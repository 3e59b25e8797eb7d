import type { JobRequest } from '../../../kernel/jobs.js'

export const SETTLE_CHAIN = 'settle-chain'

/** Which chain's payouts to bring on. */
export interface SettleChainJob {
  chainName: string
}

/** Brings a chain's payouts on; one run is planned at a time, however many payouts wait. */
export function settleChainJob(chainName: string, runAt?: Date): JobRequest {
  const payload: SettleChainJob = { chainName }
  return { name: SETTLE_CHAIN, payload, key: `${SETTLE_CHAIN}:${chainName}`, ...(runAt && { runAt }) }
}
