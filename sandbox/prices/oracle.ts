import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.js'
import { divide, isAmount, isPositive, multiply, roundHalfUp } from '../../kernel/money.js'

/** The exchange's table: the price of a market, and which of some markets was priced last. */
export interface ExchangeTable {
  priceOf: (market: string) => string
  newestOf: (markets: readonly string[]) => string
}

/** What one USDT costs in US dollars, which no market of the exchange says. */
const USDT_USD = '1.0002'

/** Pyth's ids of the feeds that the simulator has, and how each follows from the exchange's table. */
const FEEDS: Readonly<Record<string, { name: string; price: (table: ExchangeTable) => string }>> = {
  d2db4dbf1aea74e0f666b0e8f73b9580d407f5e5cf931940b06dc633d7a95906: {
    name: 'USD/BRL',
    price: ({ priceOf }) => divide(priceOf('USDTBRL'), USDT_USD, 18),
  },
  '2b89b9dc8fdf9f34709a5b106b472f0f39bb6ca9ce04b0fd7f2e971688e2e53b': {
    name: 'USDT/USD',
    price: () => USDT_USD,
  },
  eaa020c61cc479712813461ce153894a96a6c00b21ed0cfc2798d1f9a9e9c94a: {
    name: 'USDC/USD',
    // Two markets tell it; a test that has just priced one of them means that one.
    price: ({ priceOf, newestOf }) =>
      newestOf(['USDCUSDT', 'USDCBRL']) === 'USDCUSDT'
        ? roundHalfUp(multiply(priceOf('USDCUSDT'), USDT_USD), 18)
        : divide(multiply(priceOf('USDCBRL'), USDT_USD), priceOf('USDTBRL'), 18),
  },
}

/** Pyth publishes most feeds with eight decimals. */
const EXPO = -8

/** What a test or a person has ordered for a feed. */
interface Ordered {
  price: string | undefined
  ageSeconds: number
}

/**
 * Adds the oracle's side of the price simulator: Hermes of the Pyth network, `GET /v2/updates/price/latest?ids[]=…`. Its
 * prices follow the exchange's, so that both agree, until `POST /sandbox/oracle {feed, price?, age_seconds?}` orders
 * something else for a feed (`USD/BRL`); without price and age it follows again.
 */
export function addOracle(app: FastifyInstance, options: { clock: Clock; table: ExchangeTable }): void {
  const ordered = new Map<string, Ordered>()
  app.get<{ Querystring: Record<string, unknown> }>('/v2/updates/price/latest', (request, reply) => {
    const asked = request.query['ids[]'] ?? request.query['ids']
    const ids = (Array.isArray(asked) ? asked : [asked]).map((id) => String(id).replace(/^0x/, ''))
    const unknown = ids.filter((id) => !Object.hasOwn(FEEDS, id))
    if (unknown.length > 0) return reply.code(404).send(`Price ids not found: ${unknown.join(', ')}`)
    return reply.send({ binary: { encoding: 'hex', data: [] }, parsed: ids.map((id) => feed(id, options, ordered)) })
  })
  app.post('/sandbox/oracle', (request, reply) => {
    const { feed: name, price, age_seconds: age = 0 } = (request.body ?? {}) as Record<string, unknown>
    const isKnown = Object.values(FEEDS).some((one) => one.name === name)
    const isPrice = price === undefined || (isAmount(price) && isPositive(price))
    if (!isKnown || !isPrice || typeof age !== 'number') {
      return reply.code(400).send({ message: 'body: {feed: "USD/BRL", price?: "5.42", age_seconds?: 60}' })
    }
    ordered.set(String(name), { price, ageSeconds: age })
    return reply.send({ feed: name, price, age_seconds: age })
  })
}

function feed(
  id: string,
  { clock, table }: { clock: Clock; table: ExchangeTable },
  ordered: ReadonlyMap<string, Ordered>,
): object {
  const known = FEEDS[id]
  if (!known) throw new Error('an unknown feed')
  const { price: wanted, ageSeconds = 0 } = ordered.get(known.name) ?? { price: undefined }
  const decimal = roundHalfUp(wanted ?? known.price(table), -EXPO)
  const [whole = '', fraction = ''] = decimal.split('.')
  const price = BigInt(whole + fraction.padEnd(-EXPO, '0')).toString()
  const value = {
    price,
    conf: '1000',
    expo: EXPO,
    publish_time: Math.floor(clock.now().getTime() / 1000) - ageSeconds,
  }
  return { id, price: value, ema_price: value, metadata: { slot: 1, proof_available_time: value.publish_time } }
}
