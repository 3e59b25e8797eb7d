/**
 * When counted requests leave the window, oldest first, as runs: `leavesAtMs[i]` is the instant and `counts[i]` how many
 * leave then. What lies before `head` has left. Runs of a millisecond keep it exact and bounded whatever the limit is.
 */
export interface SlidingLog {
  leavesAtMs: number[]
  counts: number[]
  head: number
  /** Requests still in the window. */
  total: number
}

/** Below this many runs that have left, it is cheaper to keep them than to move the rest. */
const COMPACT_AT = 64

/** A log of runs that are already in order. */
export function slidingLog(runs: Iterable<readonly [leavesAtMs: number, count: number]> = []): SlidingLog {
  const log: SlidingLog = { leavesAtMs: [], counts: [], head: 0, total: 0 }
  for (const [leavesAtMs, count] of runs) append(log, leavesAtMs, count)
  return log
}

/** Counts `count` requests that leave at `leavesAtMs`, which is not before the last one. */
export function append(log: SlidingLog, leavesAtMs: number, count: number): void {
  const last = log.leavesAtMs.length - 1
  if (last >= log.head && log.leavesAtMs[last] === leavesAtMs) log.counts[last] = (log.counts[last] ?? 0) + count
  else {
    log.leavesAtMs.push(leavesAtMs)
    log.counts.push(count)
  }
  log.total += count
}

/** Drops what has left the window by `nowMs`. */
export function dropLeft(log: SlidingLog, nowMs: number): void {
  const { leavesAtMs, counts } = log
  while (log.head < leavesAtMs.length && (leavesAtMs[log.head] ?? 0) <= nowMs) {
    log.total -= counts[log.head] ?? 0
    log.head += 1
  }
  if (log.head < COMPACT_AT || log.head * 2 < leavesAtMs.length) return
  leavesAtMs.splice(0, log.head)
  counts.splice(0, log.head)
  log.head = 0
}

/** When the oldest request leaves; Infinity where there is none. */
export function nextLeave(log: SlidingLog): number {
  return log.leavesAtMs[log.head] ?? Infinity
}

/** When `wanted` requests of the two logs together have left, in milliseconds since 1970; Infinity where there are fewer. */
export function whenLeft(one: SlidingLog, other: SlidingLog, wanted: number): number {
  let left = 0
  let [i, j] = [one.head, other.head]
  for (;;) {
    const [nextOfOne, nextOfOther] = [one.leavesAtMs[i] ?? Infinity, other.leavesAtMs[j] ?? Infinity]
    if (nextOfOne === Infinity && nextOfOther === Infinity) return Infinity
    if (nextOfOne <= nextOfOther) left += one.counts[i++] ?? 0
    else left += other.counts[j++] ?? 0
    if (left >= wanted) return Math.min(nextOfOne, nextOfOther)
  }
}

/** The runs joined to one per second, each leaving with its last request: what another process needs to know. */
export function bySecond(log: SlidingLog): [leavesAtMs: number, count: number][] {
  const seconds: [number, number][] = []
  for (let index = log.head; index < log.leavesAtMs.length; index += 1) {
    const [leavesAtMs, count] = [log.leavesAtMs[index] ?? 0, log.counts[index] ?? 0]
    const last = seconds.at(-1)
    if (last && Math.floor(last[0] / 1000) === Math.floor(leavesAtMs / 1000)) {
      last[0] = leavesAtMs
      last[1] += count
    } else seconds.push([leavesAtMs, count])
  }
  return seconds
}
