import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.js'
import { isAmount, isPositive, roundHalfUp } from '../../kernel/money.js'
import { dollarInReais, inDollars, type ExchangeTable } from './in-dollars.js'

/** Pyth's ids of the feeds that the simulator has. */
const FEEDS: Readonly<Record<string, { name: string; price: (table: ExchangeTable) => string }>> = {
  d2db4dbf1aea74e0f666b0e8f73b9580d407f5e5cf931940b06dc633d7a95906: { name: 'USD/BRL', price: dollarInReais },
  '2b89b9dc8fdf9f34709a5b106b472f0f39bb6ca9ce04b0fd7f2e971688e2e53b': feedOf('USDT'),
  eaa020c61cc479712813461ce153894a96a6c00b21ed0cfc2798d1f9a9e9c94a: feedOf('USDC'),
  e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43: feedOf('BTC'),
  ff61491a931112ddf1bd8147cd1b641375f79f5825126d665480874634fd0ace: feedOf('ETH'),
  ffd11c5a1cfd42f80afb2df4d9f264c15f956d68153335374ec10722edd70472: feedOf('POL'),
  ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d: feedOf('SOL'),
  a995d00bb36a63cef7fd2c287dc105fc8f3d93779f062f09551b0af3e81ec30b: feedOf('EUR'),
}

function feedOf(symbol: string): { name: string; price: (table: ExchangeTable) => string } {
  return { name: `${symbol}/USD`, price: (table) => inDollars(table, symbol) }
}

/** Pyth publishes most feeds with eight decimals. */
const EXPO = -8
/** What the oracle is uncertain by on a quiet day. */
const CONFIDENCE_PERCENT = 0.05

/** The hours of the currency feeds: here they never rest, unless that is ordered, so that a sandbox is the same every day. */
const NEVER_RESTS = 'America/New_York;O,O,O,O,O,O,O;'

/** What a test or a person has ordered for a feed. */
interface Ordered {
  price: string | undefined
  ageSeconds: number
  /** How uncertain it is of the price, in percent. */
  confidencePercent: number
  /** When its market is open, as Pyth writes it. */
  schedule: string
}

const FOLLOWING: Ordered = {
  price: undefined,
  ageSeconds: 0,
  confidencePercent: CONFIDENCE_PERCENT,
  schedule: NEVER_RESTS,
}

/**
 * Adds the oracle's side of the price simulator: Hermes of the Pyth network, `GET /v2/updates/price/latest?ids[]=…`. Its
 * prices follow the exchange's, so that both agree, until `POST /sandbox/oracle {feed, price?, age_seconds?, conf_percent?, schedule?}`
 * orders something else for a feed (`USD/BRL`); without price and age it follows again. `GET /v2/price_feeds?query=&asset_type=` tells the
 * feeds' schedules.
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
  app.get<{ Querystring: Record<string, unknown> }>('/v2/price_feeds', (request, reply) => {
    const { query = '', asset_type: kind } = request.query
    const words = String(query).toUpperCase()
    const found = Object.entries(FEEDS).filter(
      ([, { name }]) => name.includes(words) && (kind === undefined || kind === kindOf(name)),
    )
    return reply.send(found.map(([id, { name }]) => metadata(id, name, ordered)))
  })
  app.post('/sandbox/oracle', (request, reply) => {
    const {
      feed: name,
      price,
      age_seconds: age = 0,
      conf_percent: confidence = CONFIDENCE_PERCENT,
      schedule = NEVER_RESTS,
    } = (request.body ?? {}) as Record<string, unknown>
    const isKnown = Object.values(FEEDS).some((one) => one.name === name)
    const isPrice = price === undefined || (isAmount(price) && isPositive(price))
    const areNumbers = typeof age === 'number' && typeof confidence === 'number'
    if (!isKnown || !isPrice || !areNumbers || typeof schedule !== 'string') {
      const message = `body: {feed: "USD/BRL", price?: "5.42", age_seconds?: 60, conf_percent?: 0.1, schedule?: "${NEVER_RESTS}"}`
      return reply.code(400).send({ message })
    }
    ordered.set(String(name), { price, ageSeconds: age, confidencePercent: confidence, schedule })
    return reply.send({ feed: name, price, age_seconds: age, conf_percent: confidence })
  })
}

function kindOf(name: string): 'fx' | 'crypto' {
  return name === 'USD/BRL' || name === 'EUR/USD' ? 'fx' : 'crypto'
}

/** A feed as Hermes describes it; crypto feeds have no schedule but an open one. */
function metadata(id: string, name: string, ordered: ReadonlyMap<string, Ordered>): object {
  const [base = '', quote = ''] = name.split('/')
  const kind = kindOf(name)
  const { schedule } = ordered.get(name) ?? FOLLOWING
  const attributes = { asset_type: kind === 'fx' ? 'FX' : 'Crypto', base, quote_currency: quote, schedule }
  return { id, attributes: { ...attributes, display_symbol: name, symbol: `${attributes.asset_type}.${name}` } }
}

function feed(
  id: string,
  { clock, table }: { clock: Clock; table: ExchangeTable },
  ordered: ReadonlyMap<string, Ordered>,
): object {
  const known = FEEDS[id]
  if (!known) throw new Error('an unknown feed')
  const order = ordered.get(known.name)
  const { price: wanted, ageSeconds, confidencePercent } = order ?? FOLLOWING
  const decimal = roundHalfUp(wanted ?? known.price(table), -EXPO)
  const [whole = '', fraction = ''] = decimal.split('.')
  const price = BigInt(whole + fraction.padEnd(-EXPO, '0')).toString()
  const value = {
    price,
    conf: String(Math.round((Number(price) * confidencePercent) / 100)),
    expo: EXPO,
    publish_time: Math.floor(clock.now().getTime() / 1000) - ageSeconds,
  }
  return { id, price: value, ema_price: value, metadata: { slot: 1, proof_available_time: value.publish_time } }
}
