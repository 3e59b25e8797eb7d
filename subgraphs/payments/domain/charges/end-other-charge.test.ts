import { describe, expect, it } from 'vitest'
import { fault } from '../../../../test/harness/control.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { completeMethods } from '../../../../terms/methods.js'
import { payByCard } from '../../fixtures/card-payments.js'
import { cryptoInput } from '../../fixtures/crypto-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { chargeOf, payAndProcess, presentOf, startPix } from '../../fixtures/pix-payments.js'
import { createTransaction } from '../create-transaction.js'

const harness = await startPaymentsHarness()
const bothWays = () =>
  checkoutPayment(harness, { paymentMethodAllowed: completeMethods({ pixcrypto: true, cardcrypto: true }) })
const cobStatus = async (txid: string) => {
  const answer = await fetch(`${harness.pix.url}/sandbox/cob`)
  const { cobs } = (await answer.json()) as { cobs: { txid: string; status: string }[] }
  return cobs.find((cob) => cob.txid === txid)?.status
}

describe('another method asked for while a Pix charge waits for its payer', () => {
  it('removes the charge at the provider before the new attempt starts, and nobody can pay it any more', async () => {
    const waiting = await startPix(harness, await bothWays())
    const { reference } = await chargeOf(harness, waiting)
    const paid = await payByCard(harness, waiting, { transactionType: 'cardcrypto' })
    expect(paid).toMatchObject({ transactionType: 'cardcrypto', dataError: null, payerCpf: null })
    expect(await cobStatus(reference)).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR')
    const history = await harness.deps.payments.history(paid.tenantId, paid.id, { first: 100, after: 0 })
    expect(history.map(({ cause }) => cause)).toContain('charge_cancelled')
    expect(harness.card.countOrders(paid.id)).toBe(0)
    expect(harness.card.countOrders(`${paid.id}-2`)).toBe(1)
  })

  it('is refused where the charge was paid in between, whose money counts', async () => {
    const waiting = await startPix(harness, await bothWays())
    const { reference } = await chargeOf(harness, waiting)
    await harness.pixControl('/callbacks', { mode: 'drop' })
    await harness.pixControl(`/cob/${reference}/pay`)
    await expect(payByCard(harness, waiting, { transactionType: 'cardcrypto' })).rejects.toMatchObject({
      code: 'payment_already_processed',
    })
    await harness.pixControl('/callbacks', { mode: 'deliver' })
    expect(await chargeOf(harness, await presentOf(harness, waiting))).toMatchObject({ reference, state: 'paid' })
    expect([harness.card.countOrders(waiting.id), harness.card.countOrders(`${waiting.id}-2`)]).toEqual([0, 0])
  })

  it('is refused to a wallet whose chain cannot be asked, and to a card that could pay nobody, and the charge can still be paid', async () => {
    const methods = completeMethods({ crypto: true, pixcrypto: true, cardfiat: true })
    const waiting = await startPix(harness, await checkoutPayment(harness, { paymentMethodAllowed: methods }))
    const { reference } = await chargeOf(harness, waiting)
    const byWallet = cryptoInput(waiting, '0x3333333333333333333333333333333333333333')
    await expect(createTransaction(harness.deps, harness.tenant, byWallet)).rejects.toMatchObject({
      code: 'provider_unavailable',
    })
    await expect(payByCard(harness, waiting, { transactionType: 'cardfiat' })).rejects.toMatchObject({
      code: 'validation_error',
      errors: [{ field: 'transactionType' }],
    })
    expect(await presentOf(harness, waiting)).toMatchObject({ status: 'pending', transactionType: 'pixcrypto' })
    expect(await cobStatus(reference)).toBe('ATIVA')
    await payAndProcess(harness, reference)
    expect((await chargeOf(harness, waiting)).state).toBe('paid')
  })

  it('is refused while the provider cannot be asked, and the charge can still be paid', async () => {
    const waiting = await startPix(harness, await bothWays())
    const { reference } = await chargeOf(harness, waiting)
    await fault(harness.pix.url, 'down')
    await expect(payByCard(harness, waiting, { transactionType: 'cardcrypto' })).rejects.toMatchObject({
      code: expect.stringMatching(/^provider_/) as string,
    })
    await fault(harness.pix.url, 'ok')
    expect(await presentOf(harness, waiting)).toMatchObject({ status: 'pending', transactionType: 'pixcrypto' })
    await payAndProcess(harness, reference)
    expect((await chargeOf(harness, waiting)).state).toBe('paid')
  })
})
