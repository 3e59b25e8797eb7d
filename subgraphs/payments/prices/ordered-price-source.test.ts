import { beforeEach, describe, expect, it } from 'vitest'
import { adjustableClock } from '../../../kernel/clock.js'
import { createLog } from '../../../kernel/log.js'
import { startPriceSimulator } from '../../../sandbox/prices/simulator.js'
import type { Simulator } from '../../../sandbox/simulator.js'
import { exchangeTicker } from './exchange-ticker.js'
import { hermes } from './hermes.js'
import { findMarket } from './market.js'
import { orderedPriceSource } from './ordered-price-source.js'
import { ending } from '../../../test/harness/at-end.js'
import { postJson } from '../../../test/harness/control.js'

const clock = adjustableClock()
const log = createLog('silent')
// Two servers, so that one can fail while the other is well.
const exchange = ending(await startPriceSimulator({ port: 0, clock }))
const oracle = ending(await startPriceSimulator({ port: 0, clock }))
const shared = { timeoutMs: 2_000, log, clock }
const prices = orderedPriceSource({
  sources: [
    { source: exchangeTicker.create({ baseUrl: exchange.url, ...shared }), maxAgeMs: 60_000 },
    { source: hermes.create({ baseUrl: oracle.url, ...shared }), maxAgeMs: 60_000 },
  ],
  deviationMax: '1.02',
  clock,
  log,
})
const control = (simulator: Simulator, path: string, body: object) => postJson(`${simulator.url}/sandbox/${path}`, body)
beforeEach(async () => {
  await control(exchange, 'faults', { mode: 'ok' })
  await control(oracle, 'faults', { mode: 'ok' })
  for (const feed of ['USD/BRL', 'USDT/USD', 'USDC/USD']) await control(oracle, 'oracle', { feed })
})
const market = (from = 'BRL', to = 'USDT') => findMarket({ prices }, from, to)

describe('prices of several sources', () => {
  it('are those of the first, while the others agree', async () => {
    expect(await market()).toMatchObject({ source: 'binance', inverseRate: '5.42', kind: 'inverse' })
    await control(oracle, 'oracle', { feed: 'USD/BRL', price: '5.51' })
    expect(await market()).toMatchObject({ inverseRate: '5.42' })
  })

  it("are nobody's where they differ by more than two percent", async () => {
    for (const price of ['5.55', '5.28', '542']) {
      await control(oracle, 'oracle', { feed: 'USD/BRL', price })
      await expect(market(), price).rejects.toMatchObject({ code: 'provider_unavailable' })
    }
  })

  it('are those of the next where the first is down, and no more where that is old', async () => {
    await control(exchange, 'faults', { mode: 'down' })
    const rate = (await market())?.inverseRate ?? '0'
    expect(Number(rate)).toBeCloseTo(5.42, 6)
    expect(await market()).toMatchObject({ source: 'pyth' })
    await control(oracle, 'oracle', { feed: 'USD/BRL', age_seconds: 120 })
    await expect(market()).rejects.toMatchObject({ code: 'provider_unavailable' })
  })

  it('are those of the first alone where the next is down, old, or does not know the market', async () => {
    await control(oracle, 'oracle', { feed: 'USD/BRL', price: '9', age_seconds: 120 })
    expect(await market()).toMatchObject({ inverseRate: '5.42' })
    await control(oracle, 'faults', { mode: 'error' })
    expect(await market()).toMatchObject({ inverseRate: '5.42' })
    expect(await findMarket({ prices }, 'ETH', 'BRL')).toMatchObject({ source: 'binance', rate: '18250.5' })
  })

  it("are the first's where it has the market the other way round", async () => {
    expect(await prices.price('BRL', 'USDT')).toBeUndefined()
    expect(await findMarket({ prices }, 'BRL', 'XYZ')).toBeUndefined()
  })

  it('are those of the next for a market that the first does not have: US dollars', async () => {
    expect(await market('USD', 'USDT')).toMatchObject({ source: 'pyth', kind: 'direct', inverseRate: '1.0002' })
    expect(await market('USDC', 'USD')).toMatchObject({ source: 'pyth', kind: 'direct' })
    const usd = await market('USD', 'BRL')
    expect(usd).toMatchObject({ source: 'pyth', kind: 'direct' })
    expect(Number(usd?.rate)).toBeCloseTo(5.4189, 4)
    expect(await market('USD', 'POL')).toMatchObject({
      kind: 'via_usdt',
      legs: [{ source: 'pyth' }, { source: 'binance' }],
    })
    await control(exchange, 'faults', { mode: 'down' })
    expect(await market('USD', 'USDT')).toMatchObject({ source: 'pyth' })
  })

  it("go through USDT while currencies rest and their own price is old, and are nobody's where that is old too", async () => {
    await control(oracle, 'oracle', { feed: 'USD/BRL', age_seconds: 86_400 })
    const usd = await market('USD', 'BRL')
    expect(usd).toMatchObject({ kind: 'via_usdt', legs: [{ source: 'pyth' }, { source: 'binance' }] })
    expect(Number(usd?.rate)).toBeCloseTo(5.4189, 4)
    await control(oracle, 'oracle', { feed: 'USDT/USD', age_seconds: 86_400 })
    await expect(market('USD', 'BRL')).rejects.toMatchObject({ code: 'provider_unavailable' })
    await expect(market('USD', 'USDT')).rejects.toMatchObject({ code: 'provider_unavailable' })
  })

  it('are not invented where the next is down: nobody says that there is no market', async () => {
    await control(oracle, 'faults', { mode: 'down' })
    await expect(market('USD', 'USDT')).rejects.toMatchObject({ code: 'provider_unavailable' })
  })
})
