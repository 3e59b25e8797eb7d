/** How long a wait may still take once the process is told to stop: less than requests in flight are given then. */
const STOP_WAIT_MS = 2_000

/**
 * How long a request waits for a chain or another process.
 * @param waitMs the longest, in milliseconds
 * @param isStopping whether the process was told to stop: the wait then ends soon enough to answer
 * @returns whether to keep waiting
 */
export function waitDeadline(waitMs: number, isStopping: () => boolean): () => boolean {
  let endsAt = performance.now() + waitMs
  let isHurried = false
  return () => {
    if (!isHurried && isStopping()) {
      isHurried = true
      endsAt = Math.min(endsAt, performance.now() + STOP_WAIT_MS)
    }
    return performance.now() < endsAt
  }
}
