import type { Clock } from '../../kernel/clock.js'
import { retriedCalls, type RetriedCalls } from '../retried-calls.js'

/** After what time a callback that failed is sent again. */
const RETRY_DELAYS_MS = [5_000, 60_000, 300_000]

/** Sends callbacks as the processor does: HTTP Basic, where its dashboard sets a user. */
export interface CallbackSender extends Omit<RetriedCalls<never>, 'send'> {
  /** Tells of an event. Resolves once the first attempt was made. */
  send: (type: string, data: unknown) => Promise<void>
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
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const calls = retriedCalls<{ body: string }>({
    clock,
    delaysMs: RETRY_DELAYS_MS,
    headersOf: () => ({ 'user-agent': 'RestSharp/106.6.10.0', authorization }),
    isTaken: (status) => status !== undefined && status >= 200 && status < 300,
  })
  return {
    ...calls,
    send: (type, data) => {
      const account = { id: 'acc_sandbox', name: 'Sandbox' }
      const created_at = clock.now().toISOString()
      return calls.send({ body: JSON.stringify({ id: newId('hook'), account, type, created_at, data }) })
    },
  }
}
