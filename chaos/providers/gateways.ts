import { setTimeout as delay } from 'node:timers/promises'
import { forward, type HttpAnswer, type HttpRequest } from '../http/exchange.js'

/** The gateways behind one public address. */
export interface Gateways {
  /**
   * Passes a request on to the next gateway that takes connections.
   * @throws Error where none does, or where one breaks off: it may have done the work, so no other is asked
   */
  ask: (request: HttpRequest) => Promise<HttpAnswer>
  /** Passes a request on again and again until a gateway has taken or refused it, for at most a minute. */
  askUntilTaken: (request: HttpRequest, stopped: AbortSignal) => Promise<void>
}

const AGAIN_AFTER_MS = 500
const TRIES = 120

/** @param addresses as they are at the moment */
export function createGateways(addresses: () => readonly string[]): Gateways {
  let next = 0
  const ask = async (request: HttpRequest): Promise<HttpAnswer> => {
    const known = addresses()
    let reason: unknown = new Error('there is no gateway')
    for (let tried = 0; tried < known.length; tried += 1) {
      const address = known[next++ % known.length]
      if (address === undefined) break
      try {
        return await forward(address, request, { repeatable: false })
      } catch (error) {
        reason = error
        if ((error as { code?: unknown }).code !== 'ECONNREFUSED') break
      }
    }
    throw reason
  }
  return {
    ask,
    askUntilTaken: async (request, stopped) => {
      for (let tries = 0; tries < TRIES && !stopped.aborted; tries += 1) {
        const answer = await ask(request).catch(() => undefined)
        if (answer && answer.status < 500) return
        await delay(AGAIN_AFTER_MS, undefined, { signal: stopped }).catch(() => undefined)
      }
    },
  }
}
