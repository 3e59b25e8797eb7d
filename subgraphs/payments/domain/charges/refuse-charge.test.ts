import { describe, expect, it } from 'vitest'
import { ProviderError } from '../../../../kernel/provider-error.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { withPixAdapter } from '../../fixtures/pix-adapter.js'
import { chargeOf, payAndProcess, pixInput, presentOf, startPix } from '../../fixtures/pix-payments.js'
import { chargesOf, receiptsOf } from '../../fixtures/rows.js'
import type { Payment } from '../../store/payment.entity.js'
import { createTransaction } from '../create-transaction.js'

const harness = await startPaymentsHarness()
const OTHER_CPF = '111.444.777-35'

/** A request that stands still while its provider is asked, which will refuse it. Gives how to let it go on. */
async function refusedRequest(payment: Payment, changes: { payerCpf?: string } = {}): Promise<() => Promise<unknown>> {
  const gate = Promise.withResolvers<undefined>()
  const asked = Promise.withResolvers<undefined>()
  const deps = withPixAdapter(harness, () => ({
    create: async () => {
      asked.resolve(undefined)
      await gate.promise
      throw new ProviderError({ provider: 'pix', kind: 'declined', retryable: false, message: 'refused' })
    },
  }))
  const outcome = createTransaction(deps, harness.tenant, pixInput(payment, changes)).catch((error: unknown) => error)
  await asked.promise
  return () => {
    gate.resolve(undefined)
    return outcome
  }
}

describe('a charge that its provider refuses', () => {
  it('leaves the payment to the charge that another payer was handed meanwhile, which can still be paid', async () => {
    const payment = await checkoutPayment(harness)
    const goOn = await refusedRequest(payment, { payerCpf: OTHER_CPF })
    const { chargeId, amountTo, sequence } = await startPix(harness, payment)
    expect(await goOn()).toBeInstanceOf(Error)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', chargeId, amountTo, sequence })
    expect(await chargesOf(harness, payment)).toMatchObject([{ state: 'closed' }, { state: 'open' }])
    await payAndProcess(harness, (await chargeOf(harness, await presentOf(harness, payment))).reference)
    expect(await receiptsOf(harness, payment)).toEqual([{ outcome: 'accepted', reason: null }])
  })

  it('leaves the payment to another charge that was paid meanwhile', async () => {
    const payment = await checkoutPayment(harness)
    const goOn = await refusedRequest(payment, { payerCpf: OTHER_CPF })
    const given = await startPix(harness, payment)
    await payAndProcess(harness, (await chargeOf(harness, given)).reference)
    expect(await goOn()).toBeInstanceOf(Error)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', chargeId: given.chargeId })
    expect(await harness.deps.payouts.findAll(payment)).toHaveLength(1)
  })

  it('stays with its payer where another request of his got it', async () => {
    const payment = await checkoutPayment(harness)
    const goOn = await refusedRequest(payment)
    const { chargeId } = await startPix(harness, payment)
    expect(await goOn()).toBeInstanceOf(Error)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', chargeId })
    expect(await chargesOf(harness, payment)).toMatchObject([{ state: 'open' }])
  })

  it('ends the attempt where nothing came between', async () => {
    const payment = await checkoutPayment(harness)
    const goOn = await refusedRequest(payment)
    expect(await goOn()).toBeInstanceOf(Error)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'reproved', chargeId: null })
    expect(await chargesOf(harness, payment)).toMatchObject([{ state: 'closed' }])
  })
})
