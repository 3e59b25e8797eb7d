import { createHttpClient, type HttpClient } from '../../../kernel/http.js'
import { compare, divide, isPositive, multiply } from '../../../kernel/money.js'
import { protocolError, ProviderError } from '../../../kernel/provider-error.js'
import type { PriceSource, PriceSourceKind, PriceSourceOptions } from './price-source.js'

const NAME = 'pyth'
const DECIMALS = 18

/**
 * Pyth's price feeds by currency (pyth.network/developers/price-feed-ids). Each is a price in USD; `inverse` ones are how
 * much of the currency one USD is.
 */
const FEEDS: Readonly<Record<string, { id: string; inverse?: true }>> = {
  BNB: { id: '2f95862b045670cd22bee3114c39763a4a08beeb663b145d283c31d7d1101c4f' },
  BRL: { id: 'd2db4dbf1aea74e0f666b0e8f73b9580d407f5e5cf931940b06dc633d7a95906', inverse: true },
  BTC: { id: 'e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43' },
  ETH: { id: 'ff61491a931112ddf1bd8147cd1b641375f79f5825126d665480874634fd0ace' },
  EUR: { id: 'a995d00bb36a63cef7fd2c287dc105fc8f3d93779f062f09551b0af3e81ec30b' },
  POL: { id: 'ffd11c5a1cfd42f80afb2df4d9f264c15f956d68153335374ec10722edd70472' },
  SOL: { id: 'ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d' },
  USDC: { id: 'eaa020c61cc479712813461ce153894a96a6c00b21ed0cfc2798d1f9a9e9c94a' },
  USDT: { id: '2b89b9dc8fdf9f34709a5b106b472f0f39bb6ca9ce04b0fd7f2e971688e2e53b' },
}
/** The currency that all feeds are priced in. */
const BASE = 'USD'

/** One feed as Hermes shows it, with what it means in decimal. */
interface FeedPrice {
  /** How much USD one unit of the currency is, as an exact fraction. */
  numerator: string
  denominator: string
  at: Date
}

/**
 * Prices of Pyth's oracle network by its Hermes service: `GET /v2/updates/price/latest?ids[]=…&parsed=true`. Two feeds
 * make a market; it is as old as the older of them.
 */
export const hermes: PriceSourceKind = {
  name: NAME,
  defaultBaseUrl: 'https://hermes.pyth.network',
  create: createHermes,
}

function createHermes({ clock: _clock, confidenceMaxPercent, ...options }: PriceSourceOptions): PriceSource {
  const client = createHttpClient({ provider: NAME, ...options })
  return {
    name: NAME,
    isEitherWay: true,
    async price(base, quote) {
      const wanted = [base, quote].filter((symbol) => symbol !== BASE)
      if (base === quote || !wanted.every((symbol) => Object.hasOwn(FEEDS, symbol))) return undefined
      const feeds = await askFeeds(client, wanted, confidenceMaxPercent)
      const [from, to] = [priceIn(feeds, base), priceIn(feeds, quote)]
      // One division at the end, so that a market of two feeds is rounded once.
      const dividend = multiply(from.numerator, to.denominator)
      const price = divide(dividend, multiply(from.denominator, to.numerator), DECIMALS)
      if (!isPositive(price)) throw notHermes('a price out of range')
      return { price, at: from.at < to.at ? from.at : to.at, symbol: `${base}/${quote}` }
    },
  }
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
  const one = { numerator: '1', denominator: '1', at: new Date(8.64e15) }
  return feeds.get(symbol) ?? one
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
  if (confidenceMaxPercent !== undefined) refuseUncertain(price, conf, confidenceMaxPercent)
  const scale = `1${'0'.repeat(Math.abs(expo))}`
  const [numerator, denominator] = expo < 0 ? [price, scale] : [multiply(price, scale), '1']
  return {
    numerator: inverse ? denominator : numerator,
    denominator: inverse ? numerator : denominator,
    at: new Date(at * 1000),
  }
}

/** The oracle says itself how sure it is; a wide band is what a thin or a manipulated market looks like. */
function refuseUncertain(price: string, conf: unknown, maxPercent: string): void {
  if (typeof conf !== 'string' || !/^\d{1,20}$/.test(conf)) throw notHermes('no confidence')
  if (compare(multiply(conf, '100'), multiply(price, maxPercent)) <= 0) return
  const message = 'pyth is not sure of a price'
  throw new ProviderError({ provider: NAME, kind: 'unavailable', retryable: true, message })
}

function notHermes(what: string): ProviderError {
  return protocolError(NAME, `pyth sent ${what}`)
}
