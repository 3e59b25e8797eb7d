import type { Clock } from '../kernel/clock.js'

const TIMEOUT_MS = 10_000

/** The calls by which a provider tells its client of something. */
export interface RetriedCalls<Call> {
  /** Where to, as it is set in the provider's dashboard; nowhere at first. */
  setUrl: (url: string) => void
  /** Makes a call. Resolves once the first attempt was made. */
  send: (call: Call) => Promise<void>
  /** Makes again what is due by now. */
  retryDue: () => Promise<void>
  close: () => void
}

/**
 * Makes calls, and those that were not taken again after a time by the sandbox's clock.
 * @param options.delaysMs after which a call is made again, in milliseconds; after the last it is left
 * @param options.isTaken by the status of an answer; undefined where there was none
 */
export function retriedCalls<Call extends { body: string }>(options: {
  clock: Clock
  delaysMs: readonly number[]
  headersOf: (call: Call) => Record<string, string>
  isTaken: (status: number | undefined) => boolean
}): RetriedCalls<Call> {
  const { clock, delaysMs, headersOf, isTaken } = options
  const stopped = new AbortController()
  const now = (): number => clock.now().getTime()
  let target: string | undefined
  let pending: { call: Call; tries: number; dueAt: number }[] = []

  async function attempt(call: Call, tries: number): Promise<void> {
    if (target === undefined || stopped.signal.aborted) return
    const answer = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersOf(call) },
      body: call.body,
      redirect: 'manual',
      signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    }).catch(() => undefined)
    await answer?.body?.cancel()
    const delayMs = delaysMs[tries]
    if (!isTaken(answer?.status) && delayMs !== undefined) {
      pending.push({ call, tries: tries + 1, dueAt: now() + delayMs })
    }
  }

  return {
    setUrl: (url) => {
      target = url
    },
    send: (call) => attempt(call, 0),
    retryDue: async () => {
      const due = pending.filter(({ dueAt }) => dueAt <= now())
      pending = pending.filter((one) => !due.includes(one))
      for (const { call, tries } of due) await attempt(call, tries)
    },
    close: () => {
      stopped.abort()
    },
  }
}
