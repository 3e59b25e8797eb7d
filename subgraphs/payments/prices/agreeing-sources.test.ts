import { beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../../../kernel/log.js'
import { startPriceSimulator } from '../../../sandbox/prices/simulator.js'
import type { Simulator } from '../../../sandbox/simulator.js'
import { findMarket } from './market.js'
import { openPriceSources, type PriceSourcesOptions } from './open-price-sources.js'
import { payableMarket } from './payable-market.js'
import { DEFAULT_PRICE_RULES } from './price-rules.js'
import { ending } from '../../../test/harness/at-end.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { postJson } from '../../../test/harness/control.js'

const harness = await startPaymentsHarness()
const { clock } = harness
const { alerts, acceptedPrices } = harness.deps
const log = createLog('silent')
// Three servers, so that one can fail while the others are well.
const exchange = ending(await startPriceSimulator({ port: 0, clock }))
const dollars = ending(await startPriceSimulator({ port: 0, clock }))
const oracle = ending(await startPriceSimulator({ port: 0, clock }))
const reais = ending(await startPriceSimulator({ port: 0, clock }))
const rules = DEFAULT_PRICE_RULES
const shared = { timeoutMs: 2_000, log, clock, rules }
const urls = { priceUrl: exchange.url, dollarPriceUrl: dollars.url, oracle: { url: oracle.url, apiKey: undefined } }
const depsOf = (sources: PriceSourcesOptions) => ({
  prices: openPriceSources(sources, shared),
  deviationMaxPercent: rules.deviationMaxPercent,
  priceRules: rules,
  ...{ log, clock, alerts, acceptedPrices },
})
const deps = depsOf(urls)
const control = (simulator: Simulator, path: string, body: object) => postJson(`${simulator.url}/sandbox/${path}`, body)
beforeEach(async () => {
  for (const simulator of [exchange, dollars, oracle, reais]) {
    await control(simulator, 'faults', { mode: 'ok' })
    await control(simulator, 'age', { seconds: 0 })
  }
  for (const feed of ['USD/BRL', 'USDT/USD', 'USDC/USD']) await control(oracle, 'oracle', { feed })
  await control(dollars, 'dollar-price', { pair: 'USDTUSD' })
  // What was read by the test before is forgotten.
  clock.advance(10_000)
})
const market = (from = 'BRL', to = 'USDT') => findMarket(deps, from, to)
const pay = (amount: string, from = 'BRL', to = 'USDT', given = deps) => payableMarket(given, from, to, amount)
const refusal = { code: 'provider_unavailable' }

describe('a price', () => {
  it("is the first source's while the others agree", async () => {
    expect(await market()).toMatchObject({ source: 'binance', inverseRate: '5.42', kind: 'inverse', isConfirmed: true })
    clock.advance(10_000)
    await control(oracle, 'oracle', { feed: 'USD/BRL', price: '5.51' })
    expect(await market()).toMatchObject({ inverseRate: '5.42', isConfirmed: true })
  })

  it('is paid by nobody, of any sum, where two sources differ by more than the bound', async () => {
    for (const price of ['5.55', '5.28', '542']) {
      clock.advance(10_000)
      await control(oracle, 'oracle', { feed: 'USD/BRL', price })
      await expect(pay('1'), price).rejects.toMatchObject(refusal)
    }
  })

  it.each([
    ['down', () => control(oracle, 'faults', { mode: 'error' })],
    ['old', () => control(oracle, 'oracle', { feed: 'USD/BRL', price: '9', age_seconds: 121 })],
    ['not sure', () => control(oracle, 'oracle', { feed: 'USD/BRL', conf_percent: 1.01 })],
  ])('of one source is enough for a small sum and refused above it: the other is %s', async (_why, fault) => {
    await fault()
    expect(await pay('500')).toMatchObject({ inverseRate: '5.42', isConfirmed: false })
    await expect(pay('500.01')).rejects.toMatchObject(refusal)
    await expect(pay('1', 'USDT', 'BRL')).rejects.toMatchObject(refusal)
  })

  it('of the oracle alone is enough for small sums only, while the exchange is down, and none once it is old', async () => {
    await control(exchange, 'faults', { mode: 'down' })
    expect(await pay('500')).toMatchObject({ source: 'pyth' })
    await expect(pay('500.01')).rejects.toMatchObject(refusal)
    clock.advance(10_000)
    await control(oracle, 'oracle', { feed: 'USD/BRL', age_seconds: 121 })
    await expect(pay('1')).rejects.toMatchObject(refusal)
  })

  it.each([
    ['by the clock of the exchange', {}],
    ['as it was kept by a cache', { cached: true }],
  ])('that is old, %s, is none of the exchange’s, whose answers have no other time', async (_whose, kind) => {
    await control(exchange, 'age', { seconds: 110, ...kind })
    expect(await pay('501')).toMatchObject({ source: 'binance', isConfirmed: true })
    clock.advance(10_000)
    await control(exchange, 'age', { seconds: 122, ...kind })
    expect(await pay('500')).toMatchObject({ source: 'pyth', isConfirmed: false })
    await expect(pay('501')).rejects.toMatchObject(refusal)
  })

  it('is refused above the small sum where the deployment has one source alone', async () => {
    const alone = depsOf({ priceUrl: exchange.url, oracle: undefined })
    expect(await pay('500', 'BRL', 'USDT', alone)).toMatchObject({ isConfirmed: false })
    await expect(pay('501', 'BRL', 'USDT', alone)).rejects.toMatchObject(refusal)
  })

  it('in dollars is confirmed by the second exchange and the oracle, which have to agree', async () => {
    expect(await pay('5000', 'USD', 'USDT')).toMatchObject({ source: 'kraken', inverseRate: '1.0002' })
    expect(await pay('5000', 'USD', 'USDC')).toMatchObject({ isConfirmed: true })
    clock.advance(10_000)
    await control(dollars, 'dollar-price', { pair: 'USDTUSD', price: '1.05' })
    await expect(pay('1', 'USD', 'USDT')).rejects.toMatchObject(refusal)
    clock.advance(10_000)
    await control(dollars, 'faults', { mode: 'down' })
    expect(await pay('100', 'USD', 'USDT')).toMatchObject({ source: 'pyth', isConfirmed: false })
    await expect(pay('101', 'USD', 'USDT')).rejects.toMatchObject(refusal)
  })

  it('of dollars in reais, which the oracle alone has, goes through USDT where both markets are confirmed', async () => {
    const found = await pay('5000', 'USD', 'BRL')
    expect(found).toMatchObject({ kind: 'via_usdt', legs: [{ source: 'kraken' }, { source: 'binance' }] })
    expect(Number(found?.rate)).toBeCloseTo(5.4189, 4)
  })

  it('goes through USDT while currencies rest, for small sums, as the exchange has nobody who confirms it', async () => {
    await control(oracle, 'oracle', { feed: 'USD/BRL', age_seconds: 86_400 })
    expect(await pay('100', 'USD', 'BRL')).toMatchObject({ kind: 'via_usdt', isConfirmed: false })
    await expect(pay('101', 'USD', 'BRL')).rejects.toMatchObject(refusal)
  })

  it("is the first's where it has the market the other way round, and none where nobody has it", async () => {
    expect(await market('BRL', 'USDT')).toMatchObject({ legs: [{ symbol: 'USDTBRL', inverse: true }] })
    expect(await market('BRL', 'XYZ')).toBeUndefined()
  })

  it('is not called missing while a source is down that may have it', async () => {
    await control(oracle, 'faults', { mode: 'down' })
    await control(dollars, 'faults', { mode: 'down' })
    await expect(market('USD', 'USDT')).rejects.toMatchObject(refusal)
  })

  it('is bid and asked as far from the middle as the oracle says that it may be wrong', async () => {
    await control(exchange, 'faults', { mode: 'down' })
    await control(dollars, 'faults', { mode: 'down' })
    await control(oracle, 'oracle', { feed: 'USDC/USD', price: '1', conf_percent: 0.5 })
    expect(await market('USDC', 'USD')).toMatchObject({ sellRate: '0.995', rate: '1', buyRate: '1.005' })
    await control(oracle, 'oracle', { feed: 'USD/BRL', price: '5', conf_percent: 0.5 })
    expect(await market('USD', 'BRL')).toMatchObject({ sellRate: '4.975', rate: '5', buyRate: '5.025' })
  })

  it.each(['BTC', 'ETH', 'SOL', 'POL', 'EUR'])('of %s is confirmed too', async (symbol) => {
    expect(await market(symbol, 'USDT')).toMatchObject({ isConfirmed: true })
  })
})

describe('while currencies rest', () => {
  const withReais = depsOf({ ...urls, realPriceUrl: reais.url })
  const always = 'UTC;O,O,O,O,O,O,O;'
  const never = 'UTC;C,C,C,C,C,C,C;'
  const rest = (schedule: string) => control(oracle, 'oracle', { feed: 'USD/BRL', price: '9', schedule })

  it('a price in reais is confirmed by the second exchange, and what the oracle still says is none', async () => {
    await rest(never)
    // The schedule is asked for once a day.
    clock.advance(24 * 3_600_000)
    expect(await pay('5000', 'BRL', 'USDT', withReais)).toMatchObject({ inverseRate: '5.42', isConfirmed: true })
    expect(await pay('5000', 'USD', 'BRL', withReais)).toMatchObject({ kind: 'via_usdt', isConfirmed: true })
    await expect(pay('501')).rejects.toMatchObject(refusal)
    await control(reais, 'real-price', { pair: 'USDT-BRL', price: '5.6' })
    clock.advance(10_000)
    await expect(pay('1', 'BRL', 'USDT', withReais)).rejects.toMatchObject(refusal)
    await control(reais, 'real-price', { pair: 'USDT-BRL' })
  })

  it('is over when the schedule says so, and a schedule that cannot be read closes nothing', async () => {
    for (const schedule of [always, 'whenever']) {
      await rest(schedule)
      clock.advance(24 * 3_600_000)
      await expect(pay('1', 'BRL', 'USDT', withReais), schedule).rejects.toMatchObject(refusal)
    }
  })
})
