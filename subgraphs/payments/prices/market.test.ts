import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adjustableClock } from '../../../kernel/clock.js'
import { compare, divide, fromBaseUnits, multiply, roundHalfUp, toBaseUnits } from '../../../kernel/money.js'
import { ProviderError } from '../../../kernel/provider-error.js'
import { createLog } from '../../../kernel/log.js'
import { agreeingSources } from './agreeing-sources.js'
import { readBook } from './book.js'
import { cachedPriceSource } from './cached-price-source.js'
import { findMarket } from './market.js'
import { presentMarket } from './present-market.js'
import type { PriceSource } from './price-source.js'
import { quoteMarket } from './quote-market.js'
import { splitPair } from './symbols.js'

/** How a source's markets are found, without a second one that confirms them. */
function aloneIn(source: PriceSource, clock = adjustableClock()) {
  const rules = { deviationMaxPercent: '2', maxAgeMs: Infinity }
  const prices = agreeingSources({ sources: [source], rules, clock, log: createLog('silent') })
  return { prices, deviationMaxPercent: '2' }
}

/** A source with these markets, keyed `BASE/QUOTE`, that counts what it is asked; bid and ask are the price, or `bid|ask`. */
function sourceOf(prices: Record<string, string>) {
  const asked: string[] = []
  const source: PriceSource = {
    name: 'table',
    price: (base, quote) => {
      asked.push(`${base}/${quote}`)
      const sides = prices[`${base}/${quote}`]
      if (sides === undefined) return Promise.resolve(undefined)
      const [bid = '', ask = bid] = sides.split('|')
      return Promise.resolve({ ...readBook('table', bid, ask, undefined), at: new Date(0), symbol: base + quote })
    },
  }
  return { source, asked }
}

const price = fc.bigInt({ min: 1n, max: 10n ** 16n }).map((units) => fromBaseUnits(units, 8))
const market = async (prices: Record<string, string>, from: string, to: string) => {
  const found = await findMarket(aloneIn(sourceOf(prices).source), from, to)
  if (!found) throw new Error('expected a market')
  return found
}
const HALF_LAST_DECIMAL = '0.0000000000000000005'
/** The distance of a decimal from one. */
function distanceFromOne(value: string): string {
  const units = toBaseUnits(value, 60) - toBaseUnits('1', 60)
  return fromBaseUnits(units < 0n ? -units : units, 60)
}

describe('findMarket', () => {
  it('gives the exchange price of a direct market unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(price, async (value) => {
        expect(await market({ 'ETH/BRL': value }, 'ETH', 'BRL')).toMatchObject({ kind: 'direct', rate: value })
      }),
    )
  })

  it('gives the same two rates whichever way round it is asked', async () => {
    await fc.assert(
      fc.asyncProperty(price, async (value) => {
        const there = await market({ 'ETH/BRL': value }, 'ETH', 'BRL')
        const back = await market({ 'ETH/BRL': value }, 'BRL', 'ETH')
        expect(back).toMatchObject({ kind: 'inverse', rate: there.inverseRate, inverseRate: there.rate })
      }),
    )
  })

  it('is off by at most half of the last decimal, also across two inverse markets', async () => {
    await fc.assert(
      fc.asyncProperty(price, price, async (first, second) => {
        const { kind, rate } = await market({ 'USDT/AAA': first, 'BBB/USDT': second }, 'AAA', 'BBB')
        expect(kind).toBe('via_usdt')
        // rate = 1 / product ± half a last decimal, so rate × product = 1 ± product / 2 of that decimal.
        const product = multiply(first, second)
        expect(compare(distanceFromOne(multiply(rate, product)), multiply(product, HALF_LAST_DECIMAL))).not.toBe(1)
      }),
    )
  })

  it('multiplies the two markets of a cross exactly', async () => {
    await fc.assert(
      fc.asyncProperty(price, price, async (first, second) => {
        const { rate } = await market({ 'AAA/USDT': first, 'USDT/BBB': second }, 'AAA', 'BBB')
        expect(rate).toBe(roundHalfUp(multiply(first, second), 18))
      }),
    )
  })

  it('sells at what is bid and buys at what is asked, in either orientation', async () => {
    const prices = { 'USDT/BRL': '5.40|5.44' }
    expect(await market(prices, 'USDT', 'BRL')).toMatchObject({ sellRate: '5.4', rate: '5.42', buyRate: '5.44' })
    // A real buys less at the price that is asked for a coin.
    expect(await market(prices, 'BRL', 'USDT')).toMatchObject({
      sellRate: divide('1', '5.44', 18),
      inverseRate: '5.42',
      buyRate: divide('1', '5.4', 18),
    })
  })

  it('never sells for more than it buys, also across two markets', async () => {
    const book = fc.tuple(price, price).map(([one, other]) => (compare(one, other) <= 0 ? [one, other] : [other, one]))
    await fc.assert(
      fc.asyncProperty(book, book, async ([bid, ask], [low, high]) => {
        const found = await market({ 'AAA/USDT': `${bid}|${ask}`, 'BBB/USDT': `${low}|${high}` }, 'AAA', 'BBB')
        expect(compare(found.sellRate, found.rate)).not.toBe(1)
        expect(compare(found.rate, found.buyRate)).not.toBe(1)
      }),
    )
  })

  it('prefers a market of its own to a cross, and knows no way where a leg is missing', async () => {
    const prices = { 'ETH/BRL': '18250.5', 'ETH/USDT': '1', 'USDT/BRL': '1', 'POL/USDT': '0.5' }
    expect(await market(prices, 'ETH', 'BRL')).toMatchObject({ kind: 'direct' })
    const { source, asked } = sourceOf(prices)
    expect(await findMarket(aloneIn(source), 'POL', 'XYZ')).toBeUndefined()
    asked.length = 0
    expect(await findMarket(aloneIn(source), 'USDT', 'XYZ')).toBeUndefined()
    expect(asked).toEqual(['USDT/XYZ', 'XYZ/USDT'])
  })

  it('changes a currency into itself at one, without asking', async () => {
    const { source, asked } = sourceOf({})
    expect(await findMarket(aloneIn(source), 'BRL', 'BRL')).toMatchObject({ rate: '1', inverseRate: '1', legs: [] })
    expect(asked).toEqual([])
  })
})

describe('the cache', () => {
  it('shares one call among quotes of the same two seconds', async () => {
    const clock = adjustableClock()
    const { source, asked } = sourceOf({ 'ETH/BRL': '18250.5' })
    const prices = cachedPriceSource(source, clock)
    await Promise.all(Array.from({ length: 50 }, () => findMarket(aloneIn(prices), 'BRL', 'ETH')))
    expect(asked).toEqual(['BRL/ETH', 'ETH/BRL'])
    clock.advance(2000)
    await findMarket(aloneIn(prices), 'BRL', 'ETH')
    expect(asked).toHaveLength(4)
  })

  it('remembers no failure', async () => {
    let healthy = false
    const failure = new ProviderError({ provider: 'table', kind: 'unavailable', retryable: true, message: 'down' })
    const { source } = sourceOf({ 'ETH/BRL': '18250.5' })
    const prices = cachedPriceSource(
      { name: 'table', price: (base, quote) => (healthy ? source.price(base, quote) : Promise.reject(failure)) },
      adjustableClock(),
    )
    const deps = aloneIn(prices)
    await expect(findMarket(deps, 'ETH', 'BRL')).rejects.toMatchObject({ code: 'provider_unavailable', cause: failure })
    healthy = true
    expect(await findMarket(deps, 'ETH', 'BRL')).toMatchObject({ rate: '18250.5' })
  })

  it('forgets the oldest of more than a thousand markets', async () => {
    const { source, asked } = sourceOf({})
    const prices = cachedPriceSource(source, adjustableClock())
    for (let index = 0; index <= 1000; index += 1) await prices.price(`A${index}`, 'BRL')
    asked.length = 0
    await prices.price('A1000', 'BRL')
    await prices.price('A0', 'BRL')
    expect(asked).toEqual(['A0/BRL'])
  })
})

describe('the market quote', () => {
  const prices = sourceOf({ 'ETH/BRL': '18250.5', 'ETH/USDT': '3367.25', 'POL/USDT': '0.5', 'USDT/BRL': '5.42' }).source
  const deps = aloneIn(prices)

  it('shows both orientations of a market, the one asked for first', async () => {
    expect(await quoteMarket(deps, { from: 'brl', to: ' eth ' })).toEqual({
      symbol: 'ETHBRL',
      price: '18250.5',
      source: 'table',
      market: { symbol: 'ETHBRL', price: '18250.5' },
      exchange: { symbol: 'ETHBRL', base: 'ETH', quote: 'BRL', meaning: 'ETHBRL is the price of 1 ETH in BRL.' },
      rates: [
        { from: 'BRL', to: 'ETH', price: '0.000054793019369332', description: '1 BRL = 0.000054793019369332 ETH' },
        { from: 'ETH', to: 'BRL', price: '18250.5', description: '1 ETH = 18250.5 BRL' },
      ],
      requested: {
        from: 'BRL',
        to: 'ETH',
        price: '0.000054793019369332',
        description: '1 BRL = 0.000054793019369332 ETH',
      },
    })
  })

  it('shows the route of a cross', async () => {
    expect(await quoteMarket(deps, { pair: 'POLBRL' })).toMatchObject({
      symbol: 'POLBRL',
      price: '2.71',
      exchange: { base: 'POL', quote: 'BRL' },
      rates: [{ description: '1 POL = 2.71 BRL' }, { from: 'BRL', to: 'POL' }],
      route: {
        legs: [
          { symbol: 'POLUSDT', base: 'POL', quote: 'USDT', price: '0.5', description: '1 POL = 0.5 USDT' },
          { symbol: 'USDTBRL', base: 'USDT', quote: 'BRL', price: '5.42', description: '1 USDT = 5.42 BRL' },
        ],
      },
    })
  })

  it('finds the order of two symbols by itself', async () => {
    for (const [tryOne, tryTwo] of [
      ['ETH', 'USDT'],
      ['USDT', 'ETH'],
    ] as const) {
      expect(await quoteMarket(deps, { tryOne, tryTwo })).toMatchObject({
        symbol: 'ETHUSDT',
        requested: { from: 'ETH', to: 'USDT', price: '3367.25' },
      })
    }
  })

  it('says params_mismatch where nothing usable is sent, pair_not_found where no market is', async () => {
    const unusable = [
      {},
      { from: 'ETH' },
      { from: 'E', to: 'BRL' },
      { from: 'ETH', to: 'B$L' },
      { pair: 'ETH/BRL' },
      { tryOne: 'ETH' },
    ]
    for (const question of [...unusable, { pair: '' }, { from: 'X'.repeat(13), to: 'BRL' }, { pair: null }]) {
      await expect(quoteMarket(deps, question)).rejects.toMatchObject({ code: 'params_mismatch' })
    }
    for (const question of [
      { from: 'ETH', to: 'XYZ' },
      { pair: 'XYZABC' },
      { pair: 'USDT' },
      { tryOne: 'AA', tryTwo: 'BB' },
      // A currency is worth itself, but that is no market.
      { from: 'ZZZ', to: 'zzz' },
      { tryOne: 'BRL', tryTwo: 'BRL' },
    ]) {
      await expect(quoteMarket(deps, question)).rejects.toMatchObject({ code: 'pair_not_found' })
    }
  })

  it('presents a currency in itself', async () => {
    const same = await findMarket(deps, 'BRL', 'BRL')
    expect(same && presentMarket(same)).toMatchObject({ symbol: 'BRLBRL', price: '1', requested: { price: '1' } })
  })
})

describe('splitPair', () => {
  it('splits by the quote currency, both parts non-empty', () => {
    expect(splitPair('ETHUSDT')).toEqual([{ base: 'ETH', quote: 'USDT' }])
    expect(splitPair('USDTUSD')).toEqual([{ base: 'USDT', quote: 'USD' }])
    expect(splitPair('BTCFDUSD')[0]).toEqual({ base: 'BTC', quote: 'FDUSD' })
    expect(splitPair('USDT')).toEqual([])
    expect(splitPair('XUSDT')).toEqual([])
  })
})
