import { beforeEach, describe, expect, it } from 'vitest'
import { postJson } from '../../../test/harness/control.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { ledger, runLedger } from '../fixtures/run-ledger.js'
import { paymentsContext } from '../context.js'
import { rememberedPrices } from './remembered-prices.js'

const harness = await startPaymentsHarness()
const context = { requestId: 'test', caller: { tenantId: harness.tenant.id, keyId: 'key', products: [] } }
/** As another process of the same deployment: it shares the database and nothing else. */
const another = () => paymentsContext(harness.db, harness.options)(context)
const control = (path: string, body: object) => postJson(`${harness.prices.url}/sandbox/${path}`, body)
const price = (of: string) => control('price', { symbol: 'USDTBRL', price: of })
const pay = (deps = harness.deps, amount = '1000') => deps.payableMarket('BRL', 'USDT', amount)
const refusal = { code: 'provider_unavailable' }

beforeEach(async () => {
  await harness.query('delete from payments.accepted_price')
  await harness.query('delete from payments.operator_alert')
  await control('oracle', { feed: 'USD/BRL' })
  await control('real-price', { pair: 'USDT-BRL' })
  await price('5.42')
  harness.clock.advance(10_000)
  expect(await pay()).toMatchObject({ inverseRate: '5.42' })
})

describe('a price that moved too far since the last that was accepted', () => {
  it('is refused until it was read three times in a row, with an alert', async () => {
    await price('6.10')
    for (const reading of [1, 2]) {
      harness.clock.advance(10_000)
      await expect(pay(), `reading ${reading}`).rejects.toMatchObject(refusal)
    }
    expect(await harness.deps.alerts.list()).toMatchObject([{ kind: 'price_moved', subject: 'BRL/USDT' }])
    harness.clock.advance(10_000)
    expect(await pay()).toMatchObject({ inverseRate: '6.1' })
    expect(await pay()).toMatchObject({ inverseRate: '6.1' })
  })

  it('is refused by every process, of any sum, also one that was started since', async () => {
    await price('4.80')
    harness.clock.advance(10_000)
    await expect(pay(another(), '1')).rejects.toMatchObject(refusal)
    await expect(pay(another(), '1')).rejects.toMatchObject(refusal)
  })

  it('is not confirmed by asking often: what is read at the same time is one reading', async () => {
    await price('6.10')
    harness.clock.advance(10_000)
    const asked = await Promise.allSettled(Array.from({ length: 10 }, () => pay(another())))
    expect(asked.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'rejected'))
    const rows = await harness.query('select held_readings from payments.accepted_price')
    expect(rows).toEqual([{ held_readings: 1 }])
  })

  it('begins anew where the readings do not agree, and is forgotten once the price is back', async () => {
    for (const moved of ['6.10', '6.10', '7.50', '7.50', '6.10']) {
      await price(moved)
      harness.clock.advance(10_000)
      await expect(pay(), moved).rejects.toMatchObject(refusal)
    }
    await price('5.50')
    harness.clock.advance(10_000)
    expect(await pay()).toMatchObject({ inverseRate: '5.5' })
    expect(await harness.query('select held_rate from payments.accepted_price')).toEqual([{ held_rate: null }])
  })

  it('is not confirmed, nor measured by, what one source alone says', async () => {
    await price('5.80')
    await control('oracle', { feed: 'USD/BRL', age_seconds: 600 })
    await control('real-price', { pair: 'USDT-BRL', price: null })
    harness.clock.advance(10_000)
    expect(await pay(harness.deps, '1')).toMatchObject({ isConfirmed: false })
    await price('6.10')
    for (let reading = 0; reading < 5; reading += 1) {
      harness.clock.advance(10_000)
      await expect(pay(harness.deps, '1')).rejects.toMatchObject(refusal)
    }
    const rows = await harness.query('select round(1 / rate, 2)::text as last, held_rate from payments.accepted_price')
    expect(rows).toEqual([{ last: '5.42', held_rate: null }])
  })

  it('is looked up once in two seconds where nothing is held, so that cached quotes ask nobody', async () => {
    let asked = 0
    const { find, judge } = harness.deps.acceptedPrices
    const counting = { judge, find: (...args: Parameters<typeof find>) => ((asked += 1), find(...args)) }
    const prices = rememberedPrices(counting, harness.clock)
    for (let quote = 0; quote < 5; quote += 1) await prices.find({ base: 'BRL', quote: 'USDT' })
    expect(asked).toBe(1)
    harness.clock.advance(2_000)
    await prices.find({ base: 'BRL', quote: 'USDT' })
    expect(asked).toBe(2)
  })

  it('is released by an operator, who sees what is held', async () => {
    expect(await runLedger(harness, 'prices', 'accept', 'BRL/USDT')).toBe(1)
    await price('6.10')
    harness.clock.advance(10_000)
    await expect(pay()).rejects.toMatchObject(refusal)
    expect((await ledger(harness, 'prices')).text).toContain('"readings": 1')
    expect(await runLedger(harness, 'prices', 'accept', 'USDT')).toBe(2)
    expect(await runLedger(harness, 'prices', 'accept', 'USDT/BRL')).toBe(0)
    expect(await pay(another())).toMatchObject({ inverseRate: '6.1' })
  })

  it('is shown all the same, as nobody pays by what is shown', async () => {
    await price('6.10')
    harness.clock.advance(10_000)
    expect(await harness.deps.quoteMarket({ from: 'USDT', to: 'BRL' })).toMatchObject({ price: '6.1' })
  })
})
