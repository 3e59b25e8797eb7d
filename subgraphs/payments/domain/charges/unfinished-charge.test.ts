import { expect, it } from 'vitest'
import { ProviderError } from '../../../../kernel/provider-error.js'
import { IDLE_CHAIN, RECEIVERS } from '../../../../test/harness/chains.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { withPixAdapter } from '../../fixtures/pix-adapter.js'
import { chargeOf, payAndProcess, pixInput, presentOf, startPix } from '../../fixtures/pix-payments.js'
import { chargesOf, receiptsOf } from '../../fixtures/rows.js'
import type { Payment } from '../../store/payment.entity.js'
import { createTransaction } from '../create-transaction.js'

const harness = await startPaymentsHarness()
/** A chain on which the token has 18 decimals, as on BNB; on the harness's own it has 6. */
const FINE_CHAIN = { ...IDLE_CHAIN, name: 'bnb', tokens: { USDT: { address: RECEIVERS[1], decimals: 18 } } }
const { settings } = harness.deps

/** Asks for a charge that the provider may have made: its answer is lost. */
async function loseCharge(payment: Payment, chainName: string): Promise<void> {
  const lost = () =>
    Promise.reject(new ProviderError({ provider: 'pix', kind: 'timeout', retryable: true, message: 'lost' }))
  const deps = {
    ...withPixAdapter(harness, () => ({ create: lost })),
    settings: { ...settings, chains: [...settings.chains, FINE_CHAIN] },
  }
  await expect(createTransaction(deps, harness.tenant, pixInput(payment, { chainName }))).rejects.toMatchObject({
    code: 'provider_timeout',
  })
}

it('a charge that was quoted in finer units than the token has on the chain named now is not gone on with', async () => {
  const payment = await checkoutPayment(harness, { toChain: null })
  await loseCharge(payment, 'bnb')
  const given = await startPix(harness, payment, { chainName: 'polygon' })
  expect(given).toMatchObject({ status: 'pending', chainName: 'polygon', amountTo: '18.450185' })
  expect(await chargesOf(harness, payment)).toMatchObject([{ state: 'creating' }, { state: 'open', attempt: 2 }])
  await payAndProcess(harness, (await chargeOf(harness, given)).reference)
  expect(await receiptsOf(harness, payment)).toEqual([{ outcome: 'accepted', reason: null }])
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', dataError: null })
  expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
})

it('a charge whose quote the chain named now can pay is gone on with', async () => {
  const payment = await checkoutPayment(harness, { toChain: null })
  await loseCharge(payment, 'polygon')
  await startPix(harness, payment, { chainName: 'polygon' })
  expect(await chargesOf(harness, payment)).toMatchObject([{ state: 'open', attempt: 1 }])
})
