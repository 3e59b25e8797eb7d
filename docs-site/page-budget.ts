import type { FastifyRequest } from 'fastify'
import { networkOf } from '../gateway/rate-limit/network-of.js'
import { tokenBuckets } from '../gateway/rate-limit/token-bucket.js'
import type { Clock } from '../kernel/clock.js'

const ADDRESSES_KEPT = 10_000

/** How often in a minute something is made for one address, and for all of them. */
export interface PageRate {
  ofAddress: number
  ofAll: number
}

/**
 * The budget of pages that take milliseconds of a process that serves payments, and need no key.
 * @returns takes one; gives 0, or the seconds until there is one again
 */
export function pageBudget(
  { ofAddress, ofAll }: PageRate,
  clock: Clock,
): (request: Pick<FastifyRequest, 'ip'>) => number {
  const buckets = (perMinute: number) => tokenBuckets({ perMinute, maxKept: ADDRESSES_KEPT, clock })
  const [addresses, all] = [buckets(ofAddress), buckets(ofAll)]
  return ({ ip }) => addresses.take(networkOf(ip)) || all.take('all')
}
