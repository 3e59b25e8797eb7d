import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../kernel/errors.js'
import { CARDS } from '../../../../sandbox/demo/card-payer.js'
import { cardData, cardPayment, chargeIdOf, countCallbacks, orderOf, payByCard } from '../../fixtures/card-payments.js'
import { chargeOf, presentOf } from '../../fixtures/pix-payments.js'
import { receiptsOf } from '../../fixtures/rows.js'
import { RECEIVERS } from '../../../../test/harness/chains.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { until } from '../../../../test/harness/until.js'
import type { CreateTransactionInput } from '../../model/transaction-input.js'
import type { Payment } from '../../store/payment.entity.js'

const harness = await startPaymentsHarness()
const back = 'http://localhost:9/back'
const withReturn = (authenticationReturnUrl = back) => ({
  cardData: cardData(CARDS.challenged, { authenticationReturnUrl }),
})

/** A payment whose payer was sent to his bank, and where that is. */
async function challenged(
  registered = cardPayment(harness),
  changes: Partial<CreateTransactionInput> = {},
): Promise<{ payment: Payment; url: string }> {
  const payment = await payByCard(harness, await registered, { ...withReturn(), ...changes })
  const [charge] = orderOf(payment).charges
  const { threed_authentication_url: url } = charge?.last_transaction as { threed_authentication_url?: string }
  return { payment, url: url ?? '' }
}

async function answer(payment: Payment, url: string, given: 'confirm' | 'refuse'): Promise<string> {
  const before = await countCallbacks(harness, payment)
  const page = await fetch(url, { method: 'POST', body: new URLSearchParams({ answer: given }) })
  await until('the callback', async () => (await countCallbacks(harness, payment)) > before)
  await harness.runJobs()
  return page.text()
}

describe('a card whose issuer asks for 3-D Secure', () => {
  it('waits for its payer, who is led back, and is then paid', async () => {
    const { payment, url } = await challenged()
    expect(payment).toMatchObject({ status: 'pending', dataError: null })
    expect(await answer(payment, url, 'confirm')).toContain(back)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is refused where the payer is not who he says, and another card pays', async () => {
    const { payment, url } = await challenged()
    await answer(payment, url, 'refuse')
    expect(await presentOf(harness, payment)).toMatchObject({
      status: 'reproved',
      dataError: { code: 'authentication_failed' },
    })
    expect(await payByCard(harness, payment)).toMatchObject({ status: 'success' })
  })

  it('is left for another card: its charge is removed first, and can be confirmed no more', async () => {
    const { payment, url } = await challenged()
    const left = chargeIdOf(payment)
    expect(await payByCard(harness, payment)).toMatchObject({ status: 'success' })
    await fetch(url, { method: 'POST', body: new URLSearchParams({ answer: 'confirm' }) })
    await harness.runJobs()
    const shown = orderOf(await presentOf(harness, payment))
    expect(shown.charges[0]).toMatchObject({ status: 'paid' })
    expect(shown.charges[0]?.id).not.toBe(left)
    expect(await receiptsOf(harness, payment)).toHaveLength(1)
  })

  it('can still be confirmed where the other card cannot be charged now', async () => {
    const splitPaymentConfig = [{ receiverWallet: RECEIVERS[0], receiverPercent: 100 }]
    const type = { transactionType: 'cardcrypto' } as const
    const { payment, url } = await challenged(cardPayment(harness, { splitPaymentConfig }), type)
    const payableMarket = () => Promise.reject(new AppError('provider_unavailable'))
    const unpriced = { ...harness, deps: { ...harness.deps, payableMarket } }
    await expect(payByCard(unpriced, payment, type)).rejects.toMatchObject({ code: 'provider_unavailable' })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', chargeId: payment.chargeId })
    await answer(payment, url, 'confirm')
    expect(await chargeOf(harness, payment)).toMatchObject({ state: 'paid' })
  })

  it('is paid by the first charge where the payer has confirmed in the meantime', async () => {
    const { payment, url } = await challenged()
    await fetch(url, { method: 'POST', body: new URLSearchParams({ answer: 'confirm' }) })
    await expect(payByCard(harness, payment)).rejects.toMatchObject({ code: 'payment_already_processed' })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
  })

  it('is refused where the payer cannot be sent anywhere', async () => {
    const payment = await payByCard(harness, await cardPayment(harness), {}, CARDS.challenged)
    expect(payment).toMatchObject({ status: 'reproved' })
  })

  it.each(['ftp://shop.example/', 'http://shop.example/', 'https://a:b@shop.example/', 'back'])(
    'sends nobody back to %s',
    async (url) => {
      const payment = await cardPayment(harness)
      await expect(payByCard(harness, payment, withReturn(url))).rejects.toMatchObject({
        errors: [{ field: 'cardData.authenticationReturnUrl' }],
      })
      expect(await presentOf(harness, payment)).toMatchObject({ status: 'registered' })
    },
  )
})
