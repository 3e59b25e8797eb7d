import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { adjustableClock } from '../../../kernel/clock.js'
import { startPriceSimulator } from '../../../sandbox/prices/simulator.js'
import { agreeingSources } from './agreeing-sources.js'
import { exchangeTicker } from './exchange-ticker.js'
import { findMarket } from './market.js'
import type { PriceSource, PriceSourceOptions } from './price-source.js'
import { quoteMarket } from './quote-market.js'
import { ending } from '../../../test/harness/at-end.js'
import { postJson } from '../../../test/harness/control.js'

const simulator = ending(await startPriceSimulator({ port: 0 }))

const control = (path: string, body: object) => postJson(`${simulator.url}/sandbox/${path}`, body)

function create(overrides: Partial<PriceSourceOptions> = {}): PriceSource {
  const log = pino({ level: 'silent' })
  const delay = () => Promise.resolve()
  return exchangeTicker.create({
    baseUrl: simulator.url,
    timeoutMs: 1000,
    log,
    delay,
    clock: adjustableClock(),
    ...overrides,
  })
}

const source = create()
function alone(prices: PriceSource) {
  const rules = { deviationMaxPercent: '2', maxAgeMs: 60_000 }
  const log = pino({ level: 'silent' })
  return {
    prices: agreeingSources({ sources: [prices], rules, clock: adjustableClock(), log }),
    deviationMaxPercent: '2',
  }
}
beforeEach(() => control('faults', { mode: 'ok' }))

describe('the exchange ticker', () => {
  it('gives the price that the exchange shows for a market', async () => {
    expect(await source.price('ETH', 'BRL')).toMatchObject({ price: '18250.5', symbol: 'ETHBRL' })
    await control('price', { symbol: 'LINKBRL', price: '70.1' })
    expect(await source.price('LINK', 'BRL')).toMatchObject({ price: '70.1' })
  })

  it('gives both sides of a market, and no price where they are too far apart', async () => {
    await control('price', { symbol: 'LINKBRL', price: '70', spread_percent: '1' })
    const sure = create({ confidenceMaxPercent: '0.5' })
    expect(await sure.price('LINK', 'BRL')).toMatchObject({ bid: '69.65', price: '70', ask: '70.35' })
    await control('price', { symbol: 'LINKBRL', price: '70', spread_percent: '1.01' })
    await expect(sure.price('LINK', 'BRL')).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('knows no market that the exchange does not have, nor one that only reads like it', async () => {
    expect(await source.price('BRL', 'ETH')).toBeUndefined()
    expect(await source.price('NOSUCH', 'USDT')).toBeUndefined()
    expect(await source.price('USD', 'TBRL')).toBeUndefined()
  })

  it('quotes over real HTTP: direct, inverse, and a cross through USDT', async () => {
    const deps = alone(source)
    expect(await quoteMarket(deps, { from: 'eth', to: 'brl' })).toMatchObject({ price: '18250.5', symbol: 'ETHBRL' })
    expect(await quoteMarket(deps, { from: 'BRL', to: 'USDT' })).toMatchObject({
      requested: { price: '0.184501845018450185' },
    })
    expect(await quoteMarket(deps, { pair: 'POLBRL' })).toMatchObject({
      price: '2.8184',
      route: { legs: [{ symbol: 'POLUSDT' }, { symbol: 'USDTBRL' }] },
    })
    await expect(quoteMarket(deps, { from: 'NOSUCH', to: 'BRL' })).rejects.toMatchObject({ code: 'pair_not_found' })
  })

  it.each(['down', 'error', 'drop-answer'])(
    'says provider_unavailable while the exchange is in fault "%s"',
    async (mode) => {
      await control('faults', { mode })
      await expect(findMarket(alone(source), 'ETH', 'BRL')).rejects.toMatchObject({ code: 'provider_unavailable' })
      await control('faults', { mode: 'ok' })
      expect(await findMarket(alone(source), 'ETH', 'BRL')).toMatchObject({ rate: '18250.5' })
    },
  )

  it.each(['down', 'error', 'drop-answer'])('gets over one or two calls that end in "%s"', async (mode) => {
    await control('faults', { mode, times: 2 })
    expect(await findMarket(alone(source), 'ETH', 'BRL')).toMatchObject({ rate: '18250.5' })
  })

  it.each(['POLBRL', 'POLUSDT', 'USDTBRL'])(
    'fails as a whole where only the call for %s of a cross fails',
    async (symbol) => {
      const prices = create({
        fetch: (url, init) =>
          String(url instanceof Request ? url.url : url).endsWith(`symbol=${symbol}`)
            ? Promise.reject(new TypeError('fetch failed'))
            : fetch(url, init),
      })
      await expect(findMarket(alone(prices), 'POL', 'BRL')).rejects.toMatchObject({ code: 'provider_unavailable' })
    },
  )

  it('says provider_timeout when the exchange is slower than the time it gets', async () => {
    await control('faults', { mode: 'slow', ms: 60_000 })
    const market = findMarket(alone(create({ timeoutMs: 40 })), 'ETH', 'BRL')
    await expect(market).rejects.toMatchObject({ code: 'provider_timeout' })
  })

  it('refuses an answer that is not the price of the market it asked for', async () => {
    const ethbrl = (bidPrice: unknown, askPrice = bidPrice) => ({ symbol: 'ETHBRL', bidPrice, askPrice })
    for (const answer of [
      { ...ethbrl('1'), symbol: 'BTCBRL' },
      ethbrl('-1'),
      ethbrl(1),
      ethbrl('0.00'),
      ethbrl('1e5'),
      ethbrl('1.01', '1'),
      { symbol: 'ETHBRL', price: '1' },
      {},
      null,
    ]) {
      const wrong = create({ fetch: () => Promise.resolve(Response.json(answer)) })
      await expect(wrong.price('ETH', 'BRL')).rejects.toMatchObject({ kind: 'protocol' })
    }
  })
})
