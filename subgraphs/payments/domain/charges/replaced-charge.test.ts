import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { startSettlementHarness } from '../../../../test/harness/settlement.js'
import { until } from '../../../../test/harness/until.js'
import { cryptoInput, signPayment } from '../../fixtures/crypto-payments.js'
import { chargedPayment, payAndProcess, payCharge, presentOf, startPix } from '../../fixtures/pix-payments.js'
import { returnsOf } from '../../fixtures/rows.js'
import type { Payment } from '../../store/payment.entity.js'
import { chargeRailOf } from '../../rails/find-rail.js'
import { createTransaction } from '../create-transaction.js'
import { cutToLeft } from '../refunds/refuse-refund.js'
import { executeOnChain } from '../transfers/execute-on-chain.js'
import { syncCharge } from './sync-charge.js'

const harness = await startSettlementHarness()
const payer = privateKeyToAccount(harness.treasuryKey)

const AMOUNT: unknown = expect.stringMatching(/^100(\.00)?$/)

/** The payment's entries about money, with whether its tenant is told. */
async function toldOf({ id }: Payment) {
  return harness.query(
    `select cause, notify, type, change -> 'globalPaymentData' -> 'returns' as returns from payments.payment_event
      where payment_id = $1 and cause in ('paid_late', 'charge_replaced', 'paid_twice', 'return_done') order by sequence`,
    [id],
  )
}

const isBack = (payment: Payment) =>
  until('the money is back', async () => {
    await harness.goOn(30)
    return (await returnsOf(harness, payment)).every(({ status }) => status === 'done')
  })

describe('money for a charge that another one has replaced', () => {
  it('is told to the tenant and stands in `returns`, and stays there as the other charge is paid', async () => {
    const { payment, txid } = await chargedPayment(harness)
    await harness.pixControl(`/cob/${txid}/remove`)
    const fresh = await startPix(harness, payment)
    const receiptId = await payAndProcess(harness, txid)
    const back = { receipt_id: receiptId, amount: AMOUNT, forced: false, reason: 'paid_late' }
    const [told] = await toldOf(payment)
    expect(told).toMatchObject({ cause: 'paid_late', notify: true, type: 'payment.pending', returns: [back] })
    await isBack(payment)
    const present = await presentOf(harness, payment)
    expect(present).toMatchObject({ chargeId: fresh.chargeId, status: 'pending' })
    expect(present.globalPaymentData).toMatchObject({ status: 'ATIVA', returns: [{ ...back, status: 'done' }] })
    expect((await toldOf(payment)).at(-1)).toMatchObject({ cause: 'return_done', notify: false })
    const [{ reference = '' } = {}] = await harness.query('select reference from payments.charge where id = $1', [
      fresh.chargeId,
    ])
    await payAndProcess(harness, String(reference))
    expect((await presentOf(harness, payment)).globalPaymentData).toMatchObject({
      status: 'CONCLUIDA',
      returns: [{ ...back, status: 'done' }],
    })
  })

  it.each([
    ['40.00', { status: 'requested', amount: '60' }],
    ['100.00', { status: 'refused' }],
  ])('stands in `returns` as what is left of it, where somebody has returned %s of it before', async (valor, shown) => {
    const { payment, txid } = await chargedPayment(harness)
    await harness.pixControl(`/cob/${txid}/remove`)
    await startPix(harness, payment)
    const receiptId = await payCharge(harness, txid)
    const rail = chargeRailOf(harness.deps, 'pix')
    const charge = await harness.deps.charges.findByReference('pix', txid)
    if (!rail || !charge) throw new Error('there is no charge')
    // No job runs: nothing has been sent as somebody returns it.
    await syncCharge(harness.deps, rail, charge)
    await harness.pixControl(`/pix/${receiptId}/return`, { valor })
    const record = await harness.deps.charges.readByReceivedPayment('pix', receiptId)
    const refund = record?.refunds.find(({ origin }) => origin !== 'provider')
    if (!refund) throw new Error('nothing goes back')
    await harness.deps.alerts.raise({ kind: 'return_refused', subject: receiptId })
    await cutToLeft(harness.deps, rail, charge, refund)
    // A process that dies now does not come back to one that is over.
    const open = (await harness.deps.alerts.list()).filter(({ subject }) => subject === receiptId)
    expect(open).toHaveLength(shown.status === 'refused' ? 0 : 1)
    const { globalPaymentData } = await presentOf(harness, payment)
    expect(globalPaymentData).toMatchObject({ status: 'ATIVA' })
    expect((globalPaymentData as { returns: object[] }).returns).toContainEqual(expect.objectContaining(shown))
  })

  it('is told where a wallet is asked by now, which goes on, and stays told as the wallet pays', async () => {
    const { payment, txid } = await chargedPayment(harness)
    const built = await createTransaction(harness.deps, harness.tenant, cryptoInput(payment, payer.address))
    const receiptId = await payAndProcess(harness, txid)
    const [came] = await toldOf(payment)
    expect(came).toMatchObject({ notify: true, returns: [{ receipt_id: receiptId, amount: AMOUNT }] })
    expect((await presentOf(harness, payment)).globalPaymentData).toMatchObject({
      message: 'Waiting for the signed transaction.',
      returns: [{ receipt_id: receiptId }],
    })
    await isBack(payment)
    const signedTransaction = await signPayment(payer, built)
    await executeOnChain(harness.deps, harness.tenant, { paymentId: payment.id, signedTransaction })
    await until('the payment succeeds', async () => {
      await harness.goOn(1)
      return (await presentOf(harness, payment)).status === 'success'
    })
    const told = { message: 'The receivers have been paid.', returns: [{ receipt_id: receiptId, status: 'done' }] }
    expect((await presentOf(harness, payment)).globalPaymentData).toMatchObject(told)
    const [{ shown } = {}] = await harness.query(
      `select change -> 'globalPaymentData' as shown from payments.payment_event where payment_id = $1 and type = 'payment.success'`,
      [payment.id],
    )
    expect(shown).toMatchObject(told)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})
