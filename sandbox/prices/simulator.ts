import type { FastifyInstance } from 'fastify'
import { systemClock, type Clock } from '../../kernel/clock.js'
import { compare, divide, isAmount, isPositive, multiply, subtract, sum } from '../../kernel/money.js'
import { startSimulator, type Simulator } from '../simulator.js'
import { addDollarExchange } from './dollar-exchange.js'
import type { ExchangeTable } from './in-dollars.js'
import { addOracle } from './oracle.js'
import { addRealExchange } from './real-exchange.js'

/** The prices the sandbox starts with, by the exchange's market symbol. */
const INITIAL_PRICES: Readonly<Record<string, string>> = {
  USDTBRL: '5.42',
  USDCUSDT: '0.9999',
  EURUSDT: '1.08',
  BTCUSDT: '64000',
  ETHUSDT: '3367.25',
  POLUSDT: '0.52',
  SOLUSDT: '145.3',
  BTCBRL: '346880',
  ETHBRL: '18250.5',
  SOLBRL: '787.5',
  USDCBRL: '5.4195',
}

/** What a market costs in every new sandbox. */
export function initialPriceOf(symbol: string): string | undefined {
  return INITIAL_PRICES[symbol]
}

/** Binance names its markets like this, and says so in its refusal (code -1100). */
const SYMBOL = /^[A-Z0-9-_.]{1,20}$/
/** Binance writes every price with eight decimals. */
const PRICE_DECIMALS = 8
/** Binance's global site has no markets in US dollars: what ends in USD there ends in FDUSD, a coin. */
const USD_MARKET = /(?<!FD)USD$/

/** The exchange simulator; `price` is the table's present entry for a market symbol, for simulators that need prices too. */
export interface PriceSimulator extends Simulator {
  price(symbol: string): string | undefined
}

/**
 * Starts a simulator of the Binance spot API's tickers (`GET /api/v3/ticker/price` and `…/bookTicker`, developers.binance.com). The
 * control route `POST /sandbox/price {symbol, price, spread_percent?}` sets a market's price, and opens the market where it is new;
 * bid and ask are the price, unless a spread between them is ordered; `POST /sandbox/age` has answers be older. US dollars are the oracle's and the second exchange's, which
 * are the same server, as is that of reais, see `addOracle`, `addDollarExchange`, `addRealExchange`.
 */
export async function startPriceSimulator(options: { port: number; clock?: Clock }): Promise<PriceSimulator> {
  const prices = new Map(Object.entries(INITIAL_PRICES))
  const simulator = await startSimulator({
    port: options.port,
    serverError: {
      status: 503,
      body: {
        code: -1008,
        msg: 'Server is currently overloaded with other requests. Please try again in a few minutes.',
      },
    },
    routes: (app) => {
      const spreads = new Map<string, string>()
      addAge(app, options.clock ?? systemClock)
      addTickers(app, prices, spreads)
      addControl(app, prices, spreads)
      addRealExchange(app, prices)
      addOracle(app, { clock: options.clock ?? systemClock, table: tableOf(prices) })
      addDollarExchange(app, tableOf(prices))
    },
  })
  return { ...simulator, price: (symbol) => prices.get(symbol) }
}

/** Answers say when they were made, by the simulator's clock; `POST /sandbox/age {seconds, cached?}` has them be older, or kept by a cache. */
function addAge(app: FastifyInstance, clock: Clock): void {
  let [seconds, isCached] = [0, false]
  app.addHook('onSend', (request, reply, payload, done) => {
    const isOld = seconds > 0 && !request.url.startsWith('/sandbox/')
    const made = clock.now().getTime() - (isOld && !isCached ? seconds * 1000 : 0)
    reply.header('date', new Date(made).toUTCString())
    if (isOld && isCached) reply.header('age', String(seconds))
    done(null, payload)
  })
  app.post('/sandbox/age', async (request, reply) => {
    const given = (request.body ?? {}) as { seconds?: unknown; cached?: unknown }
    if (typeof given.seconds !== 'number' || !Number.isInteger(given.seconds) || given.seconds < 0)
      return reply.code(400).send({ message: 'body: {seconds: 90, cached?: true}' })
    seconds = given.seconds
    isCached = given.cached === true
    return { seconds, cached: isCached }
  })
}

function tableOf(prices: ReadonlyMap<string, string>): ExchangeTable {
  return {
    priceOf: (market) => prices.get(market) ?? '1',
    newestOf: (markets) => [...prices.keys()].filter((market) => markets.includes(market)).at(-1) ?? '',
  }
}

function withEightDecimals(price: string): string {
  const [whole = '', fraction = ''] = price.split('.')
  return `${whole}.${fraction.padEnd(PRICE_DECIMALS, '0')}`
}

type Market = readonly [symbol: string, price: string]

function addTickers(
  app: FastifyInstance,
  prices: ReadonlyMap<string, string>,
  spreads: ReadonlyMap<string, string>,
): void {
  const addTicker = (name: string, row: (market: Market) => object): void => {
    app.get<{ Querystring: { symbol?: unknown } }>(`/api/v3/ticker/${name}`, async (request, reply) => {
      const { symbol } = request.query
      if (symbol === undefined) return [...prices].map(row)
      if (typeof symbol !== 'string' || !SYMBOL.test(symbol)) {
        const msg = "Illegal characters found in parameter 'symbol'; legal range is '^[A-Z0-9-_.]{1,20}$'."
        return reply.code(400).send({ code: -1100, msg })
      }
      const price = prices.get(symbol)
      if (price === undefined) return reply.code(400).send({ code: -1121, msg: 'Invalid symbol.' })
      return row([symbol, price])
    })
  }
  addTicker('price', ([symbol, price]) => ({ symbol, price: withEightDecimals(price) }))
  addTicker('bookTicker', ([symbol, price]) => {
    const half = divide(multiply(price, spreads.get(symbol) ?? '0'), '200', PRICE_DECIMALS)
    const [bid, ask] = [subtract(price, half), sum([price, half])].map(withEightDecimals)
    return { symbol, bidPrice: bid, bidQty: '1.00000000', askPrice: ask, askQty: '1.00000000' }
  })
}

function addControl(app: FastifyInstance, prices: Map<string, string>, spreads: Map<string, string>): void {
  app.post('/sandbox/price', async (request, reply) => {
    const {
      symbol,
      price,
      spread_percent: spread = '0',
    } = (request.body ?? {}) as { symbol?: unknown; price?: unknown; spread_percent?: unknown }
    const decimals = typeof price === 'string' ? (price.split('.')[1] ?? '').length : 0
    if (
      typeof symbol !== 'string' ||
      !SYMBOL.test(symbol) ||
      !isAmount(price) ||
      !isPositive(price) ||
      decimals > PRICE_DECIMALS ||
      !isAmount(spread) ||
      compare(spread, '100') > 0
    ) {
      const message = 'body: {symbol: "ETHBRL", price: "18250.5", spread_percent?: "0.2"}, at most 8 decimals'
      return reply.code(400).send({ message })
    }
    if (USD_MARKET.test(symbol)) {
      const message = 'the exchange has no USD markets: POST /sandbox/oracle {feed: "USDT/USD", price: "1.0002"}'
      return reply.code(400).send({ message })
    }
    // Last in the table is what was priced last.
    prices.delete(symbol)
    prices.set(symbol, price)
    spreads.set(symbol, spread)
    return { symbol, price: withEightDecimals(price) }
  })
}
