import type { Clock } from '../../../kernel/clock.js'
import type { AcceptedPrice } from '../model/accepted-price.js'
import type { AcceptedPricesStore } from '../store/accepted-prices.js'

/** As long as the sources' answers are cached. */
const TTL_MS = 2_000

/**
 * The accepted prices with a memory of two seconds, so that a quote whose price is cached asks the database nothing either.
 * What is held is not remembered, and what is judged is judged by the row itself.
 */
export function rememberedPrices(store: AcceptedPricesStore, clock: Clock): AcceptedPricesStore {
  const entries = new Map<string, { last: AcceptedPrice; expiresAtMs: number }>()
  return {
    judge: store.judge,
    async find(pair) {
      const key = `${pair.base}/${pair.quote}`
      const entry = entries.get(key)
      if (entry && clock.now().getTime() < entry.expiresAtMs) return entry.last
      const last = await store.find(pair)
      if (last && !last.held) entries.set(key, { last, expiresAtMs: clock.now().getTime() + TTL_MS })
      else entries.delete(key)
      return last
    },
  }
}
