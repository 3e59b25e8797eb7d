import { expect, it } from 'vitest'
import { CARDS } from '../../../../sandbox/demo/card-payer.js'
import type { JobRequest } from '../../../../kernel/jobs.js'
import { ProviderError } from '../../../../kernel/provider-error.js'
import { RECEIVERS } from '../../../../test/harness/chains.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import type { PaymentsDeps } from '../../context.js'
import { cardData, cardPayment, chargeIdOf, orderOf, payByCard } from '../../fixtures/card-payments.js'
import { chargeOf, presentOf } from '../../fixtures/pix-payments.js'
import { receiptsOf, returnsOf } from '../../fixtures/rows.js'
import type { Payment } from '../../store/payment.entity.js'
import { watchCharge } from './watch-charge.js'

const harness = await startPaymentsHarness()
harness.card.setCallbackUrl('http://127.0.0.1:9/')

/** A charge that the antifraud looks into until after we have given it up. */
async function reviewedTooLong(): Promise<Payment> {
  const data = cardData(CARDS.paid)
  const payment = await payByCard(
    harness,
    await cardPayment(harness, { splitPaymentConfig: [{ receiverWallet: RECEIVERS[0], receiverPercent: 100 }] }),
    {
      transactionType: 'cardcrypto',
      payerDocument: '22222222222',
      payerDocumentType: 'PASSPORT',
      cardData: { ...data, address: { ...data.address, country: 'US', state: 'NY' } },
    },
  )
  expect(payment).toMatchObject({ status: 'pending' })
  await harness.advance(3 * 86_400 + 60)
  return payment
}

/** Looks at a payment's charge once. Gives the next look, where one is planned. */
async function look(payment: Payment, deps: PaymentsDeps = harness.deps): Promise<JobRequest | undefined> {
  const { tenantId, id: chargeId } = await chargeOf(harness, payment)
  let planned: JobRequest | undefined
  const addJobNow: typeof deps.addJobNow = (job) => Promise.resolve(void (planned = job))
  await watchCharge({ ...deps, addJobNow }, { tenantId, chargeId })
  return planned
}

/** A process whose processor cancels nothing that is under review. */
function uncancelling(): PaymentsDeps {
  const refuse = () =>
    Promise.reject(new ProviderError({ provider: 'card', kind: 'invalid_request', retryable: false, message: 'no' }))
  const rails = harness.deps.rails.map((rail) =>
    rail.kind === 'charge' && rail.name === 'card' ? { ...rail, adapter: { ...rail.adapter, cancel: refuse } } : rail,
  )
  return { ...harness.deps, rails }
}

const EXPIRED = { status: 'error', dataError: { code: 'charge_expired' } }

it('a card that is under review for too long is cancelled at its processor, which charges nobody any more', async () => {
  const payment = await reviewedTooLong()
  expect(await look(payment)).toBeUndefined()
  const present = await presentOf(harness, payment)
  expect(present).toMatchObject(EXPIRED)
  expect(orderOf(present).charges).toMatchObject([{ status: 'canceled' }])
  await expect(harness.cardControl(`/charges/${chargeIdOf(payment)}/settle`)).rejects.toThrow()
  expect(await receiptsOf(harness, payment)).toEqual([])
})

it('a card whose processor cannot cancel it is watched on, and what it takes of the payer after all goes back', async () => {
  const payment = await reviewedTooLong()
  expect(await look(payment, uncancelling())).toBeDefined()
  expect(await presentOf(harness, payment)).toMatchObject(EXPIRED)
  await harness.advance(3_600)
  await harness.cardControl(`/charges/${chargeIdOf(payment)}/settle`)
  expect(await look(payment, uncancelling())).toBeUndefined()
  expect(await receiptsOf(harness, payment)).toEqual([{ outcome: 'returned', reason: 'paid_late' }])
  await harness.goOn(60)
  expect(await returnsOf(harness, payment)).toMatchObject([{ status: 'done', receiptReason: 'paid_late' }])
  expect(await presentOf(harness, payment)).toMatchObject(EXPIRED)
  expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
})
