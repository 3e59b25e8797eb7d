import { pino } from 'pino'
import { expect, it } from 'vitest'
import { postJson } from '../../../test/harness/control.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { reportUnpriced } from './report-unpriced.js'

const harness = await startPaymentsHarness()

async function report(enabledFiats: readonly string[]): Promise<object[]> {
  const lines: object[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line) as object) })
  await reportUnpriced({ ...harness.deps, settings: { ...harness.deps.settings, enabledFiats }, log })
  return lines
}

it('says nothing at start where every enabled pair has a price of two sources', async () => {
  expect(await report(['BRL', 'USD', 'EUR'])).toEqual([])
})

it('names in one line the enabled pairs that have no price, or that of one source alone', async () => {
  await postJson(`${harness.prices.url}/sandbox/oracle`, { feed: 'USD/BRL', age_seconds: 600 })
  await postJson(`${harness.prices.url}/sandbox/real-price`, { pair: 'USDT-BRL', price: null })
  harness.clock.advance(10_000)
  const [line, ...others] = await report(['BRL', 'ARS'])
  expect(line).toMatchObject({
    unpriced: expect.arrayContaining(['ARS/USDT']) as string[],
    lone: expect.arrayContaining(['BRL/USDT']) as string[],
  })
  expect(others).toEqual([])
})
