import { expect, it } from 'vitest'
import { ProviderError } from '../../../../kernel/provider-error.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import type { Markets } from '../../prices/market.js'
import { requestLoaders } from '../../request-loaders.js'
import { readPayerCharge } from './payer-charge.js'

const harness = await startPaymentsHarness()
const deps = { ...harness.deps, ...requestLoaders(harness.deps) }

const away = new ProviderError({ provider: 'prices', kind: 'unavailable', retryable: true, message: 'is away' })

it.each<[string, Markets['findMarket']]>([
  ['hangs', () => new Promise(() => undefined)],
  ['is away', () => Promise.reject(away)],
])('what is only shown of a price is none where its source %s', async (_how, findMarket) => {
  const payment = await checkoutPayment(harness, { fromCurrencySymbol: 'USD' })
  expect(await readPayerCharge(deps, payment)).toMatchObject({ currency: 'BRL', isEstimate: true })
  expect(await readPayerCharge({ ...deps, findMarket }, payment)).toBeNull()
})

it('nothing is asked of a payment that takes no money any more', async () => {
  const payment = await checkoutPayment(harness, { fromCurrencySymbol: 'USD' })
  const findMarket: Markets['findMarket'] = () => Promise.reject(new Error('a price was asked for'))
  const ended = {
    ...payment,
    status: 'error' as const,
    dataError: { code: 'canceled', status: 'failed', message: '', details: null },
  }
  expect(await readPayerCharge({ ...deps, findMarket }, ended)).toBeNull()
})
