import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { chargedPayment, payAndProcess, presentOf } from '../../fixtures/pix-payments.js'
import { returnsOf } from '../../fixtures/rows.js'
import { cancelPayment } from '../cancel-payment.js'
import type { Payment } from '../../store/payment.entity.js'

const harness = await startPaymentsHarness()
const EXPIRED_SECONDS = 16 * 60

/** A charge that was called expired, though its payer had paid a minute after it was made. */
async function expired() {
  const { payment, txid } = await chargedPayment(harness)
  const horario = new Date(harness.clock.now().getTime() + 60_000).toISOString()
  await harness.goOn(EXPIRED_SECONDS)
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', dataError: { code: 'charge_expired' } })
  return { payment, txid, horario }
}

const payoutsOf = async (payment: Payment) => (await harness.deps.payouts.findAll(payment)).map(({ amount }) => amount)

describe('a Pix in time that the provider shows late', () => {
  it('pays its payment, which was called expired', async () => {
    const { payment, txid, horario } = await expired()
    await payAndProcess(harness, txid, { horario })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', dataError: null })
    expect(await payoutsOf(payment)).toEqual(['18.450185'])
    expect(await returnsOf(harness, payment)).toEqual([])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is refunded where the payment was canceled since', async () => {
    const { payment, txid } = await chargedPayment(harness)
    const horario = harness.clock.now().toISOString()
    await cancelPayment(harness.deps, harness.tenant, { id: payment.id })
    await payAndProcess(harness, txid, { horario })
    expect(await payoutsOf(payment)).toEqual([])
    expect(await returnsOf(harness, payment)).toMatchObject([{ reason: 'paid_late' }])
  })

  it('is refunded where it is another amount', async () => {
    const { payment, txid, horario } = await expired()
    await payAndProcess(harness, txid, { horario, valor: '99.00' })
    expect(await payoutsOf(payment)).toEqual([])
    expect(await returnsOf(harness, payment)).toMatchObject([{ reason: 'amount_mismatch' }])
  })
})
