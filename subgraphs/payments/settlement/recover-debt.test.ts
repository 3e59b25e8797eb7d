import { afterEach, describe, expect, it } from 'vitest'
import { RECEIVERS } from '../../../test/harness/chains.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { balanceIn } from '../fixtures/books.js'
import { ledger } from '../fixtures/run-ledger.js'
import { paidPayment, untilToldOf } from '../fixtures/pix-payments.js'
import { fundRefunds, orderRefund, refundsOf } from '../fixtures/refunds.js'
import { setFirstPayout } from '../fixtures/rows.js'
import type { Payment } from '../store/payment.entity.js'

const harness = await startPaymentsHarness()
afterEach(async () => {
  expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
})

const splitPaymentConfig = [
  { receiverWallet: RECEIVERS[0], receiverPercent: 60 },
  { receiverWallet: RECEIVERS[1], receiverPercent: 40 },
]

/** What the tenant is owed, and what it has set aside, in reais. */
async function balances(): Promise<{ tenant: number; refunds: number }> {
  const of = async (account: string) => -Number(await balanceIn(harness.deps, account, 'BRL')) || 0
  return { tenant: await of('tenant'), refunds: await of('tenant:refunds') }
}

/** A payment of 100.00 of which the receiver of 60.00 may have been paid. */
async function paid(): Promise<{ id: string; payment: Payment; txid: string; endToEndId: string }> {
  const { payment, txid, endToEndId } = await paidPayment(harness, { splitPaymentConfig })
  await setFirstPayout(harness, payment, 'sending')
  return { id: payment.id, payment, txid, endToEndId }
}

async function takenBack({ endToEndId }: { endToEndId: string }, body: object = {}): Promise<void> {
  await harness.pixControl(`/pix/${endToEndId}/med`, body)
  await untilToldOf(harness, endToEndId, 2)
  await harness.runJobs()
}

const transfer = (command: string, amount: string, reference: string, ...more: string[]) =>
  ledger(harness, command, '--tenant', harness.tenant.id, '--amount', amount, '--reference', reference, ...more)
const fund = (amount: string, reference: string) =>
  fundRefunds(harness.databaseUrl, harness.tenant.id, amount, reference)

describe('what a dispute leaves a tenant owing', () => {
  it('is taken from what it has set aside for refunds, as far as that goes, and the rest once it sets more aside', async () => {
    const payment = await paid()
    await fund('25', payment.id)
    await takenBack(payment)
    expect(await balances()).toEqual({ tenant: -35, refunds: 0 })
    await fund('5', 'five')
    expect(await balances()).toEqual({ tenant: -30, refunds: 0 })
    const tooMuch = await transfer('settle-debt', '30.01', 'bank-1', '--payment', payment.id)
    expect(tooMuch.text).toContain('--amount is more than the payment has left the tenant owing: 30 BRL.')
    expect((await transfer('settle-debt', '30', 'bank-1', '--payment', payment.id)).code).toBe(0)
    expect((await transfer('settle-debt', '30', 'bank-1', '--payment', payment.id)).code).toBe(1)
    expect((await transfer('settle-debt', '30', 'bank-2', '--payment', 'unknown')).code).toBe(2)
    expect(await balances()).toEqual({ tenant: 0, refunds: 0 })
    await fund('20', 'twenty')
    expect(await balances()).toEqual({ tenant: 0, refunds: 20 })
    expect((await transfer('release-reserve', '20', 'back')).code).toBe(0)
  })

  it('is given back where a payout that was on its way comes back after all', async () => {
    const payment = await paid()
    await fund('100', payment.id)
    await takenBack(payment, { valor: '70.00' })
    // What is left of the second receiver's waits for an operator.
    expect(await balances()).toEqual({ tenant: 0, refunds: 30 })
    await setFirstPayout(harness, payment, 'waiting')
    await harness.pixControl(`/pix/${payment.endToEndId}/med`, { valor: '30.00' })
    await untilToldOf(harness, payment.endToEndId, 3)
    await harness.runJobs()
    expect(await balances()).toEqual({ tenant: 0, refunds: 100 })
  })

  it('is none where it has set more aside: that can be paid out, and no more', async () => {
    const more = await transfer('release-reserve', '100.01', 'out-1')
    expect(more).toMatchObject({ code: 2, text: expect.stringContaining('has set aside: 100 BRL.') as string })
    const part = await transfer('release-reserve', '40', 'out-1')
    expect(JSON.parse(part.text)).toMatchObject({ booked: true, balance: '60' })
    expect((await transfer('release-reserve', '40', 'out-1')).code).toBe(1)
    expect((await transfer('release-reserve', '60', 'out-2')).code).toBe(0)
  })

  it('is taken of what a refused refund gives back', async () => {
    const payment = await paid()
    await harness.query(`update payments.payout set state = 'sending' where payment_id = $1`, [payment.id])
    await fund('100', payment.id)
    await orderRefund(harness, payment.payment)
    expect(await balances()).toEqual({ tenant: 0, refunds: 0 })
    // The payer has it taken back by force before the refund is sent, which the provider then refuses.
    await harness.pixControl(`/pix/${payment.endToEndId}/med`)
    await untilToldOf(harness, payment.endToEndId, 2)
    await harness.runJobs()
    expect(await refundsOf(harness, payment.payment)).toMatchObject([{ status: 'failed' }])
    expect(await balances()).toEqual({ tenant: 0, refunds: 0 })
  })

  it('is not paid by a second payment that is on its way back to its payer', async () => {
    const payment = await paid()
    await fund('100', payment.id)
    await harness.pixControl('/returns', { mode: 'hold' })
    const twice = String((await harness.pixControl(`/cob/${payment.txid}/pay`, { again: true }))['endToEndId'])
    await untilToldOf(harness, twice, 1)
    await harness.runJobs()
    expect(await balances()).toEqual({ tenant: 100, refunds: 100 })
    const refused = await transfer('pay-tenant', '100', 'theirs', '--payment', payment.id)
    expect(refused.text).toContain('--amount is more than the tenant is owed of the payment: 0 BRL.')
    await takenBack(payment)
    // 60 of the payer's money are with the receiver; the second payment is not the tenant's.
    expect(await balances()).toEqual({ tenant: 100, refunds: 40 })
    await harness.pixControl('/returns', { mode: 'settle' })
    await harness.goOn(60)
    expect((await balances()).refunds).toBe(40)
  })
})
