import type { JobRequest } from '../../../kernel/jobs.js'

export const FOLLOW_FINALITY = 'follow-finality'

/** Which chain's transactions to look at again. */
export interface FollowFinalityJob {
  chainName: string
}

/** Looks again at what a chain has confirmed; one such run is planned at a time. */
export function followFinalityJob(chainName: string, runAt?: Date): JobRequest {
  const payload: FollowFinalityJob = { chainName }
  return { name: FOLLOW_FINALITY, payload, key: `${FOLLOW_FINALITY}:${chainName}`, ...(runAt && { runAt }) }
}
