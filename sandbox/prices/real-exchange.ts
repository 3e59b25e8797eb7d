import type { FastifyInstance } from 'fastify'
import { isAmount, isPositive } from '../../kernel/money.js'

const PAIR = /^[A-Z0-9]{2,12}-BRL$/

/**
 * Adds Mercado Bitcoin's public ticker to the price simulator: `GET /api/v4/tickers?symbols=USDT-BRL`. It has the first exchange's markets in
 * reais and their prices, until `POST /sandbox/real-price {pair, price?}` orders another, or none by null; without a price it follows again.
 * @param prices the first exchange's table
 */
export function addRealExchange(app: FastifyInstance, prices: ReadonlyMap<string, string>): void {
  const ordered = new Map<string, string | null>()
  app.get<{ Querystring: { symbols?: unknown } }>('/api/v4/tickers', (request, reply) => {
    const { symbols } = request.query
    const pairs = typeof symbols === 'string' ? symbols.split(',') : []
    const rows = pairs.flatMap((pair) => {
      const followed = PAIR.test(pair) ? prices.get(pair.replace('-', '')) : undefined
      const price = ordered.has(pair) ? ordered.get(pair) : followed
      return price == null ? [] : [tickerOf(pair, price)]
    })
    return reply.send(rows)
  })
  app.post('/sandbox/real-price', (request, reply) => {
    const { pair, price } = (request.body ?? {}) as Record<string, unknown>
    const isPair = typeof pair === 'string' && PAIR.test(pair)
    const isPrice = price == null || (isAmount(price) && isPositive(price))
    if (!isPair || !isPrice) {
      return reply.code(400).send({ message: 'body: {pair: "USDT-BRL", price?: "5.42"}' })
    }
    if (price === undefined) ordered.delete(pair)
    else ordered.set(pair, price)
    return reply.send({ pair, price })
  })
}

/** Its numbers are texts; a market that nobody trades in shows the same price everywhere. */
function tickerOf(pair: string, price: string): object {
  const [high, low, last, buy, sell, open] = Array.from({ length: 6 }, () => price)
  return { pair, high, low, vol: '1', last, buy, sell, open, date: 0 }
}
