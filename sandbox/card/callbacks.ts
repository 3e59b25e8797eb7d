import type { Clock } from '../../kernel/clock.js'

/** After what time a callback that failed is sent again. */
const RETRY_DELAYS_MS = [5_000, 60_000, 300_000]
const TIMEOUT_MS = 10_000

interface Pending {
  body: string
  attempt: number
  /** By the sandbox's clock, in milliseconds. */
  dueAt: number
}

/** Sends callbacks as the processor does: HTTP Basic, where its dashboard sets a user. */
export interface CallbackSender {
  /** Where to, as it is set in the processor's dashboard; nowhere at first. */
  setUrl: (url: string) => void
  /** Tells of an event. Resolves once the first attempt was made. */
  send: (type: string, data: unknown) => Promise<void>
  /** Sends again what is due by now. */
  retryDue: () => Promise<void>
  close: () => void
}

/**
 * Makes the sender of one account's callbacks.
 * @param options.user with which it calls by HTTP Basic, and `password`
 * @param options.newId an id of the processor's form with the given beginning
 */
export function createCallbackSender(options: {
  user: string
  password: string
  clock: Clock
  newId: (prefix: string) => string
}): CallbackSender {
  const { user, password, clock, newId } = options
  let target: string | undefined
  let pending: Pending[] = []
  const stopped = new AbortController()
  const now = (): number => clock.now().getTime()
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

  async function attempt(callback: Pending): Promise<void> {
    if (target === undefined || stopped.signal.aborted) return
    const answer = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'RestSharp/106.6.10.0', authorization },
      body: callback.body,
      redirect: 'manual',
      signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    }).catch(() => undefined)
    await answer?.body?.cancel()
    const delayMs = RETRY_DELAYS_MS[callback.attempt]
    if (!answer?.ok && delayMs !== undefined) {
      pending.push({ ...callback, attempt: callback.attempt + 1, dueAt: now() + delayMs })
    }
  }

  return {
    setUrl: (url) => {
      target = url
    },
    send: (type, data) => {
      const account = { id: 'acc_sandbox', name: 'Sandbox' }
      const created_at = clock.now().toISOString()
      const body = JSON.stringify({ id: newId('hook'), account, type, created_at, data })
      return attempt({ body, attempt: 0, dueAt: now() })
    },
    retryDue: async () => {
      const due = pending.filter(({ dueAt }) => dueAt <= now())
      pending = pending.filter((callback) => !due.includes(callback))
      for (const callback of due) await attempt(callback)
    },
    close: () => {
      stopped.abort()
    },
  }
}
