import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { adjustableClock } from '../../../kernel/clock.js'
import { createLog } from '../../../kernel/log.js'
import { startPriceSimulator } from '../../../sandbox/prices/simulator.js'
import type { Simulator } from '../../../sandbox/simulator.js'
import { exchangeTicker } from './exchange-ticker.js'
import { hermes } from './hermes.js'
import { findMarket } from './market.js'
import { orderedPriceSource } from './ordered-price-source.js'
import type { PriceSource } from './price-source.js'

const clock = adjustableClock()
const log = createLog('silent')
let exchange: Simulator
let oracle: Simulator
let prices: PriceSource
beforeAll(async () => {
  // Two servers, so that one can fail while the other is well.
  exchange = await startPriceSimulator({ port: 0, clock })
  oracle = await startPriceSimulator({ port: 0, clock })
  const shared = { timeoutMs: 2_000, log, clock }
  prices = orderedPriceSource({
    sources: [
      { source: exchangeTicker.create({ baseUrl: exchange.url, ...shared }), maxAgeMs: 60_000 },
      { source: hermes.create({ baseUrl: oracle.url, ...shared }), maxAgeMs: 60_000 },
    ],
    deviationMax: '1.02',
    clock,
    log,
  })
})
afterAll(async () => {
  await exchange.close()
  await oracle.close()
})
const control = (simulator: Simulator, path: string, body: object) =>
  fetch(`${simulator.url}/sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
beforeEach(async () => {
  await control(exchange, 'faults', { mode: 'ok' })
  await control(oracle, 'faults', { mode: 'ok' })
  for (const feed of ['USD/BRL', 'USDT/USD', 'USDC/USD']) await control(oracle, 'oracle', { feed })
})
const market = () => findMarket({ prices }, 'BRL', 'USDT')

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

  it('leave the word on which markets there are to the first', async () => {
    expect(await prices.price('BRL', 'USDT')).toBeUndefined()
    expect(await findMarket({ prices }, 'BRL', 'XYZ')).toBeUndefined()
  })
})
