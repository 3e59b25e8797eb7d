/** How soon and how late something is looked at again, in milliseconds. */
export interface BackoffBounds {
  shortestMs: number
  longestMs: number
}

/** The longer something has been open, the rarer it is looked at: after a tenth of its age, within the bounds. */
export function backoffByAge(since: Date, now: Date, { shortestMs, longestMs }: BackoffBounds): number {
  return Math.min(Math.max((now.getTime() - since.getTime()) / 10, shortestMs), longestMs)
}
