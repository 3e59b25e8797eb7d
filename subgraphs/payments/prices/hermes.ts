import { createHttpClient, type HttpClient } from '../../../kernel/http.js'
import { divide, isPositive, multiply } from '../../../kernel/money.js'
import { protocolError, type ProviderError } from '../../../kernel/provider-error.js'
import type { PriceSource, PriceSourceKind, PriceSourceOptions } from './price-source.js'

const NAME = 'pyth'
const DECIMALS = 18

/**
 * Pyth's price feeds by currency (pyth.network/developers/price-feed-ids). Each is a price in USD; `inverse` ones are how
 * much of the currency one USD is.
 */
const FEEDS: Readonly<Record<string, { id: string; inverse?: true }>> = {
  BRL: { id: 'd2db4dbf1aea74e0f666b0e8f73b9580d407f5e5cf931940b06dc633d7a95906', inverse: true },
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

function createHermes({ clock: _clock, ...options }: PriceSourceOptions): PriceSource {
  const client = createHttpClient({ provider: NAME, ...options })
  return {
    name: NAME,
    async price(base, quote) {
      const wanted = [base, quote].filter((symbol) => symbol !== BASE)
      if (base === quote || !wanted.every((symbol) => Object.hasOwn(FEEDS, symbol))) return undefined
      const feeds = await askFeeds(client, wanted)
      const [from, to] = [priceIn(feeds, base), priceIn(feeds, quote)]
      // One division at the end, so that a market of two feeds is rounded once.
      const dividend = multiply(from.numerator, to.denominator)
      const price = divide(dividend, multiply(from.denominator, to.numerator), DECIMALS)
      if (!isPositive(price)) throw notHermes('a price out of range')
      return { price, at: from.at < to.at ? from.at : to.at, symbol: `${base}/${quote}` }
    },
  }
}

async function askFeeds(client: HttpClient, symbols: readonly string[]): Promise<ReadonlyMap<string, FeedPrice>> {
  const ids = symbols.map((symbol) => FEEDS[symbol]?.id ?? '')
  const { body } = await client.request({
    method: 'GET',
    path: '/v2/updates/price/latest',
    query: { 'ids[]': ids, parsed: 'true' },
    idempotent: true,
  })
  const { parsed } = (body ?? {}) as { parsed?: unknown }
  if (!Array.isArray(parsed)) throw notHermes('no prices')
  return new Map(symbols.map((symbol, index) => [symbol, readFeed(parsed, ids[index] ?? '', FEEDS[symbol]?.inverse)]))
}

function priceIn(feeds: ReadonlyMap<string, FeedPrice>, symbol: string): FeedPrice {
  const one = { numerator: '1', denominator: '1', at: new Date(8.64e15) }
  return feeds.get(symbol) ?? one
}

/** A feed's price is a whole number and a power of ten: `{price: "542000000", expo: -8, publish_time}`. */
function readFeed(parsed: readonly unknown[], id: string, inverse = false): FeedPrice {
  const found = parsed.find((feed) => (feed as { id?: unknown } | null)?.id === id)
  const {
    price,
    expo,
    publish_time: at,
  } = ((found as { price?: unknown } | undefined)?.price ?? {}) as {
    price?: unknown
    expo?: unknown
    publish_time?: unknown
  }
  if (typeof price !== 'string' || !/^\d{1,20}$/.test(price) || !isPositive(price)) throw notHermes('no price')
  if (typeof expo !== 'number' || !Number.isInteger(expo) || Math.abs(expo) > 30 || typeof at !== 'number') {
    throw notHermes('no price')
  }
  const scale = `1${'0'.repeat(Math.abs(expo))}`
  const [numerator, denominator] = expo < 0 ? [price, scale] : [multiply(price, scale), '1']
  return {
    numerator: inverse ? denominator : numerator,
    denominator: inverse ? numerator : denominator,
    at: new Date(at * 1000),
  }
}

function notHermes(what: string): ProviderError {
  return protocolError(NAME, `pyth sent ${what}`)
}
