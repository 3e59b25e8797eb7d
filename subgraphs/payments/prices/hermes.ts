import { createHttpClient, type HttpClient } from '../../../kernel/http.js'
import { compare, divide, isPositive, multiply, subtract, sum } from '../../../kernel/money.js'
import { protocolError, type ProviderError } from '../../../kernel/provider-error.js'
import { refuseUncertain, type Book } from './book.js'
import { currencyHours } from './currency-hours.js'
import type { PriceSource, PriceSourceKind, PriceSourceOptions } from './price-source.js'

const NAME = 'pyth'
const DECIMALS = 18

interface Feed {
  id: string
  inverse?: true
  isCurrency?: true
}

/**
 * Pyth's price feeds by currency (pyth.network/developers/price-feed-ids). Each is a price in USD; `inverse` ones are how
 * much of the currency one USD is. The feeds of currencies rest when their markets do.
 */
const FEEDS: Readonly<Record<string, Feed>> = {
  BNB: { id: '2f95862b045670cd22bee3114c39763a4a08beeb663b145d283c31d7d1101c4f' },
  BRL: { id: 'd2db4dbf1aea74e0f666b0e8f73b9580d407f5e5cf931940b06dc633d7a95906', inverse: true, isCurrency: true },
  BTC: { id: 'e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43' },
  ETH: { id: 'ff61491a931112ddf1bd8147cd1b641375f79f5825126d665480874634fd0ace' },
  EUR: { id: 'a995d00bb36a63cef7fd2c287dc105fc8f3d93779f062f09551b0af3e81ec30b', isCurrency: true },
  POL: { id: 'ffd11c5a1cfd42f80afb2df4d9f264c15f956d68153335374ec10722edd70472' },
  SOL: { id: 'ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d' },
  USDC: { id: 'eaa020c61cc479712813461ce153894a96a6c00b21ed0cfc2798d1f9a9e9c94a' },
  USDT: { id: '2b89b9dc8fdf9f34709a5b106b472f0f39bb6ca9ce04b0fd7f2e971688e2e53b' },
}
/** The currency that all feeds are priced in. */
const BASE = 'USD'

/** An exact fraction. */
interface Fraction {
  numerator: string
  denominator: string
}

/** One feed as Hermes shows it: how much USD one unit of the currency is. */
interface FeedPrice extends Record<keyof Book, Fraction> {
  at: Date
}

/**
 * Prices of Pyth's oracle network by its Hermes service: `GET /v2/updates/price/latest?ids[]=…&parsed=true`. Two feeds
 * make a market; it is as old as the older of them, and its sides are as far from the middle as the oracle says that it may be
 * wrong. A currency whose market rests has no price, whatever is published.
 */
export const hermes: PriceSourceKind = {
  name: NAME,
  defaultBaseUrl: 'https://hermes.pyth.network',
  create: createHermes,
}

function createHermes({ clock, confidenceMaxPercent, ...options }: PriceSourceOptions): PriceSource {
  const client = createHttpClient({ provider: NAME, ...options })
  const isOpen = currencyHours(client, { clock, log: options.log })
  return {
    name: NAME,
    isEitherWay: true,
    async price(base, quote) {
      const wanted = [base, quote].filter((symbol) => symbol !== BASE)
      if (base === quote || !wanted.every((symbol) => Object.hasOwn(FEEDS, symbol))) return undefined
      const currencies = wanted.flatMap((symbol) =>
        FEEDS[symbol]?.isCurrency ? [{ symbol, id: FEEDS[symbol].id }] : [],
      )
      if ((await Promise.all(currencies.map(isOpen))).includes(false)) return undefined
      const feeds = await askFeeds(client, wanted, confidenceMaxPercent)
      const [from, to] = [priceIn(feeds, base), priceIn(feeds, quote)]
      const book = {
        price: ratio(from.price, to.price),
        bid: ratio(from.bid, to.ask),
        ask: ratio(from.ask, to.bid),
      }
      if (!Object.values(book).every(isPositive)) throw notHermes('a price out of range')
      return { ...book, at: from.at < to.at ? from.at : to.at, symbol: `${base}/${quote}` }
    },
  }
}

/** One division at the end, so that a market of two feeds is rounded once. */
function ratio(from: Fraction, to: Fraction): string {
  return divide(multiply(from.numerator, to.denominator), multiply(from.denominator, to.numerator), DECIMALS)
}

async function askFeeds(
  client: HttpClient,
  symbols: readonly string[],
  confidenceMaxPercent: string | undefined,
): Promise<ReadonlyMap<string, FeedPrice>> {
  const ids = symbols.map((symbol) => FEEDS[symbol]?.id ?? '')
  const { body } = await client.request({
    method: 'GET',
    path: '/v2/updates/price/latest',
    query: { 'ids[]': ids, parsed: 'true' },
    idempotent: true,
  })
  const { parsed } = (body ?? {}) as { parsed?: unknown }
  if (!Array.isArray(parsed)) throw notHermes('no prices')
  const read = (symbol: string, index: number) =>
    readFeed(parsed, ids[index] ?? '', FEEDS[symbol]?.inverse, confidenceMaxPercent)
  return new Map(symbols.map((symbol, index) => [symbol, read(symbol, index)]))
}

function priceIn(feeds: ReadonlyMap<string, FeedPrice>, symbol: string): FeedPrice {
  const one = { numerator: '1', denominator: '1' }
  return feeds.get(symbol) ?? { price: one, bid: one, ask: one, at: new Date(8.64e15) }
}

/**
 * A feed's price is a whole number and a power of ten: `{price: "542000000", conf: "1000", expo: -8, publish_time}`;
 * `conf` is how far off it may be, in the same unit.
 */
function readFeed(
  parsed: readonly unknown[],
  id: string,
  inverse = false,
  confidenceMaxPercent: string | undefined,
): FeedPrice {
  const found = parsed.find((feed) => (feed as { id?: unknown } | null)?.id === id)
  const {
    price,
    conf,
    expo,
    publish_time: at,
  } = ((found as { price?: unknown } | undefined)?.price ?? {}) as {
    price?: unknown
    conf?: unknown
    expo?: unknown
    publish_time?: unknown
  }
  if (typeof price !== 'string' || !/^\d{1,20}$/.test(price) || !isPositive(price)) throw notHermes('no price')
  if (typeof expo !== 'number' || !Number.isInteger(expo) || Math.abs(expo) > 30 || typeof at !== 'number') {
    throw notHermes('no price')
  }
  if (typeof conf !== 'string' || !/^\d{1,20}$/.test(conf)) throw notHermes('no confidence')
  if (confidenceMaxPercent !== undefined) refuseUncertain(NAME, price, conf, confidenceMaxPercent)
  if (compare(conf, price) >= 0) throw notHermes('no price')
  const least = subtract(price, conf)
  const sides = inverse ? { bid: sum([price, conf]), ask: least } : { bid: least, ask: sum([price, conf]) }
  const fraction = (value: string) => asFraction(value, expo, inverse)
  return {
    price: fraction(price),
    bid: fraction(sides.bid),
    ask: fraction(sides.ask),
    at: new Date(at * 1000),
  }
}

function asFraction(value: string, expo: number, inverse: boolean): Fraction {
  const scale = `1${'0'.repeat(Math.abs(expo))}`
  const [numerator, denominator] = expo < 0 ? [value, scale] : [multiply(value, scale), '1']
  return inverse ? { numerator: denominator, denominator: numerator } : { numerator, denominator }
}

function notHermes(what: string): ProviderError {
  return protocolError(NAME, `pyth sent ${what}`)
}
