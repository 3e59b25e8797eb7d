import type { Pix } from './wire.js'

/** What happens to callbacks: they go out, are lost, go out twice, or wait until they are released. */
export const CALLBACK_MODES = ['deliver', 'drop', 'duplicate', 'hold'] as const
export type CallbackMode = (typeof CALLBACK_MODES)[number]

/** How a provider tells its client of money; how often and when it tries again is the provider's own. */
export interface Callbacks {
  /** Tells of one Pix, as it is now. */
  send: (webhookUrl: string, pix: Pix) => void
  setMode: (mode: CallbackMode) => void
  /** Sends what was held back, in the given order. Returns how many. */
  release: (order: 'first-to-last' | 'last-to-first') => Promise<number>
  close: () => void
}

/** Waits between tries of a callback that was not taken, in milliseconds. */
const RETRY_DELAYS_MS = [1_000, 5_000, 30_000]
const ANSWER_TIMEOUT_MS = 5_000

/** Makes the provider's callbacks: `POST {pix: [Pix]}`, again after 1, 5 and 30 seconds where it is not taken. */
export function createCallbacks(): Callbacks {
  const stopped = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  let mode: CallbackMode = 'deliver'
  let held: (() => Promise<void>)[] = []

  async function deliver(url: string, body: string, tries: number): Promise<void> {
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)])
    const headers = { 'content-type': 'application/json' }
    const taken = await fetch(url, { method: 'POST', headers, body, signal }).then(
      (response) => response.body?.cancel().then(() => response.ok) ?? response.ok,
      () => false,
    )
    const delayMs = RETRY_DELAYS_MS[tries]
    if (taken || delayMs === undefined || stopped.signal.aborted) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      void deliver(url, body, tries + 1)
    }, delayMs)
    timers.add(timer)
  }

  return {
    send: (webhookUrl, pix) => {
      if (mode === 'drop') return
      // The provider appends /pix to the address that it was given.
      const start = () => deliver(`${webhookUrl}/pix`, JSON.stringify({ pix: [pix] }), 0)
      if (mode === 'hold') held.push(start)
      else for (let copies = mode === 'duplicate' ? 2 : 1; copies > 0; copies -= 1) void start()
    },
    setMode: (wanted) => {
      mode = wanted
    },
    release: async (order) => {
      const released = order === 'last-to-first' ? held.reverse() : held
      held = []
      for (const start of released) await start()
      return released.length
    },
    close: () => {
      stopped.abort()
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
