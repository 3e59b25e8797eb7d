import type { JobRequest } from '../../../../kernel/jobs.js'
import type { WatchScope } from '../../store/watched-addresses.js'

export const WATCH_ADDRESSES = 'watch-addresses'

/** Which of a chain's addresses to watch. */
export interface WatchAddressesJob {
  chainName: string
  scope: WatchScope
}

/** Looks what has come to the addresses on a chain; one such run of each scope is planned at a time. */
export function watchAddressesJob({ chainName, scope }: WatchAddressesJob, runAt?: Date): JobRequest {
  const payload: WatchAddressesJob = { chainName, scope }
  return { name: WATCH_ADDRESSES, payload, key: `${WATCH_ADDRESSES}:${chainName}:${scope}`, ...(runAt && { runAt }) }
}
