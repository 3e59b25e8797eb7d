import type { FastifyInstance } from 'fastify'
import { divide, isAmount, isPositive } from '../../kernel/money.js'
import { inDollars, type ExchangeTable } from './in-dollars.js'

/** The markets, by the names under which Kraken answers: base, quote. */
const MARKETS: Readonly<Record<string, readonly [string, string]>> = {
  USDTZUSD: ['USDT', 'USD'],
  USDCUSD: ['USDC', 'USD'],
  XXBTZUSD: ['BTC', 'USD'],
  XETHZUSD: ['ETH', 'USD'],
  SOLUSD: ['SOL', 'USD'],
  POLUSD: ['POL', 'USD'],
  ZEURZUSD: ['EUR', 'USD'],
  USDTEUR: ['USDT', 'EUR'],
  USDCEUR: ['USDC', 'EUR'],
}

/**
 * Adds Kraken's public ticker to the price simulator: `GET /0/public/Ticker?pair=USDTUSD`. Its prices follow the first
 * exchange's, until `POST /sandbox/dollar-price {pair, price?}` orders another; without a price it follows again.
 */
export function addDollarExchange(app: FastifyInstance, table: ExchangeTable): void {
  const ordered = new Map<string, string>()
  app.get<{ Querystring: { pair?: unknown } }>('/0/public/Ticker', (request, reply) => {
    const found = findMarket(request.query.pair)
    if (!found) return reply.send({ error: ['EQuery:Unknown asset pair'] })
    const [name, [base, quote]] = found
    const price = ordered.get(name) ?? priceOf(table, base, quote)
    return reply.send({
      error: [],
      result: { [name]: { a: [price, '1', '1'], b: [price, '1', '1'], c: [price, '1'] } },
    })
  })
  app.post('/sandbox/dollar-price', (request, reply) => {
    const { pair, price } = (request.body ?? {}) as Record<string, unknown>
    const found = findMarket(pair)
    if (!found || (price !== undefined && !(isAmount(price) && isPositive(price)))) {
      return reply.code(400).send({ message: 'body: {pair: "USDTUSD", price?: "1.0002"}' })
    }
    if (typeof price === 'string') ordered.set(found[0], price)
    else ordered.delete(found[0])
    return reply.send({ pair, price })
  })
}

function findMarket(pair: unknown): [string, readonly [string, string]] | undefined {
  return Object.entries(MARKETS).find(([name, sides]) => pair === name || pair === sides.join(''))
}

function priceOf(table: ExchangeTable, base: string, quote: string): string {
  const price = inDollars(table, base)
  return quote === 'USD' ? price : divide(price, inDollars(table, quote), 8)
}
