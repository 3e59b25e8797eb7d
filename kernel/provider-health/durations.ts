/** Four for each doubling, from 1 ms to a minute: a time is known to a fifth. */
const BUCKETS = 64
const PER_DOUBLING = 4

/** How often calls took how long: the counts of buckets, of which each ends at 2^(index/4) ms. They add up across processes. */
export type Durations = number[]

export function noDurations(): Durations {
  return Array.from({ length: BUCKETS }, () => 0)
}

/** The bucket that a time belongs to. @param ms in milliseconds */
export function bucketOf(ms: number): number {
  return ms <= 1 ? 0 : Math.min(BUCKETS - 1, Math.ceil(PER_DOUBLING * Math.log2(ms)))
}

/**
 * The middle one of the times, as far as buckets tell it: within the bucket they are taken to lie evenly.
 * @returns milliseconds; undefined where nothing was counted
 */
export function medianOf(durations: Durations): number | undefined {
  const half = durations.reduce((sum, count) => sum + count, 0) / 2
  if (half === 0) return undefined
  let below = 0
  const at = durations.findIndex((count) => (below += count) >= half)
  const count = durations[at] ?? 0
  const from = at === 0 ? 0 : endOf(at - 1)
  return from + (endOf(at) - from) * ((half - (below - count)) / count)
}

function endOf(bucket: number): number {
  return 2 ** (bucket / PER_DOUBLING)
}
