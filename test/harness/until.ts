import { setTimeout as delay } from 'node:timers/promises'

/**
 * Waits for what another process or connection has to do: asks until there is an answer.
 * @throws Error with `what` after the deadline, a minute unless said otherwise
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  timeoutMs = 60_000,
): Promise<Exclude<T, undefined | false | null>> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false && answer !== null)
      return answer as Exclude<T, undefined | false | null>
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`)
    await delay(10)
  }
}
