import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { chargedPayment, payAndProcess, payCharge, presentOf, untilToldOf } from '../../fixtures/pix-payments.js'
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

/** Lets one look show that a charge was paid, and that its money is gone: all of it, unless a body says otherwise. */
async function payAndLose(
  txid: string,
  what: 'return' | 'med',
  { horario, ...body }: { horario: string; valor?: string },
) {
  const endToEndId = await payCharge(harness, txid, { horario })
  await harness.pixControl(`/pix/${endToEndId}/${what}`, body)
  await untilToldOf(harness, endToEndId, 2)
  await harness.runJobs()
}

/** What the books have of a payment, by account and currency. */
const booksOf = ({ id }: Payment) =>
  harness.query(
    `select account, currency, sum(credit - debit)::text as balance from payments.ledger_line
      where payment_id = $1 group by 1, 2 having sum(credit - debit) <> 0 order by 1, 2`,
    [id],
  )

const statesOf = async (payment: Payment) => (await harness.deps.payouts.findAll(payment)).map(({ state }) => state)
const toldOf = ({ id }: Payment) =>
  harness.query('select type, cause from payments.payment_event where payment_id = $1 and notify order by sequence', [
    id,
  ])

describe('a Pix in time that is shown late, and gone in the same look', () => {
  it.each([
    ['return', 'refunded', 'charge_paid'],
    ['med', 'charge_taken_back', 'receipt_taken_back'],
  ] as const)('ends its payment as one that was waited for, by a %s', async (what, code, cause) => {
    const { payment, txid, horario } = await expired()
    await payAndLose(txid, what, { horario })
    const inTime = await chargedPayment(harness)
    await payAndLose(inTime.txid, what, { horario: harness.clock.now().toISOString() })
    await harness.goOn(60)
    for (const one of [payment, inTime.payment]) {
      expect(await presentOf(harness, one)).toMatchObject({ status: 'error', dataError: { code } })
      expect(await statesOf(one)).toEqual(['cancelled'])
      expect((await toldOf(one)).at(-1)).toEqual({ type: 'payment.error', cause })
      expect(await returnsOf(harness, one)).toMatchObject([{ status: 'done' }])
    }
    expect(await booksOf(payment)).toEqual(await booksOf(inTime.payment))
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('goes on where only a part of it is gone', async () => {
    const { payment, txid, horario } = await expired()
    await payAndLose(txid, 'return', { horario, valor: '40.00' })
    expect(await presentOf(harness, payment)).toMatchObject({
      status: 'pending',
      dataError: null,
      refundedAmount: '40',
    })
    expect(await statesOf(payment)).toEqual(['waiting'])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})
