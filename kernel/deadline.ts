/** How long a wait goes on once the process is told to stop: less than requests in flight are given then. */
const STOP_WAIT_MS = 2_000

/**
 * How long a request waits for what others have to do.
 * @param waitMs the longest, in milliseconds
 * @param isStopping whether the process was told to stop: the wait ends soon then, so that it ends with an answer
 * @returns what tells whether to wait on
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
