import { afterEach, describe, expect, it } from 'vitest'
import { outcomeOf } from '../../../../test/harness/refusal.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { RECEIVERS } from '../../../../test/harness/chains.js'
import { ledger } from '../../fixtures/run-ledger.js'
import { cardPayment, payByCard } from '../../fixtures/card-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { chargedPayment, paidPayment, payAndProcess, startPix } from '../../fixtures/pix-payments.js'
import { orderRefund, refundsOf, untilRefunded, fundRefunds } from '../../fixtures/refunds.js'
import type { Payment } from '../../store/payment.entity.js'

/** Without a node of the chain payouts wait. */
const harness = await startPaymentsHarness()
const { id: tenantId } = harness.tenant
afterEach(async () => {
  expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  for (const rail of ['pix', 'card']) await setFees(rail, '--percent', '0', '--fixed', '0', '--spread', '0')
})

const setFees = (rail: string, ...terms: string[]) =>
  ledger(harness, 'fees', '--tenant', tenantId, '--rail', rail, ...terms)
const linesOf = async ({ id }: Payment) =>
  Object.fromEntries(
    (
      await harness.query(
        `select account || ' ' || currency as account, trim_scale(sum(debit - credit))::text as balance
          from payments.ledger_line where payment_id = $1 group by account, currency`,
        [id],
      )
    ).map(({ account, balance }) => [account, balance]),
  )
/** Whom the processor has shared a payment's charge out to, in cents. */
const sharesAtProcessor = async ({ id }: Payment) => {
  const { orders } = (await (await fetch(`${harness.card.url}/sandbox/orders`)).json()) as {
    orders: { code: string; charges: { last_transaction: { split: { recipient_id: string; amount: number }[] } }[] }[]
  }
  const split = orders.find(({ code }) => code === id)?.charges[0]?.last_transaction.split ?? []
  return Object.fromEntries(split.map(({ recipient_id, amount }) => [recipient_id, amount]))
}
const shownOf = async ({ id }: Payment) => {
  const query = `{ payment(id: "${id}") { amountTo fees { currency platform spread provider }
    quote { feeAmount spreadAmount amountTo rate } } }`
  const { data, errors } = await harness.graphql(query)
  expect(errors).toBeUndefined()
  return (data as { payment: Record<string, unknown> }).payment
}

describe('the platform fee', () => {
  it('comes off what the receivers get, to the cent, and is shown and booked as quoted', async () => {
    await setFees('pix', '--percent', '2.5', '--fixed', '0.39', '--spread', '0.75')
    const splitPaymentConfig = [
      { receiverWallet: RECEIVERS[0], receiverPercent: 60 },
      { receiverWallet: RECEIVERS[1], receiverPercent: 40 },
    ]
    const { payment, txid } = await chargedPayment(harness, { splitPaymentConfig })
    // What is set later counts for later quotes, and what is not set stays.
    const { text } = await setFees('pix', '--percent', '20')
    expect(JSON.parse(text)).toMatchObject({ fees: [{ percent: '20', fixed: '0.39', spreadPercent: '0.75' }] })
    await payAndProcess(harness, txid)
    // 100 BRL buy 18.450185 USDT; 96.38 of them are left.
    expect(await shownOf(payment)).toMatchObject({
      amountTo: '17.782288',
      fees: { currency: 'BRL', platform: '2.89', spread: '0.73', provider: null },
      quote: { feeAmount: '2.89', spreadAmount: '0.73', amountTo: '17.782288' },
    })
    expect(await linesOf(payment)).toEqual({
      'provider:pix BRL': '100',
      'revenue:fee BRL': '-2.89',
      'revenue:spread BRL': '-0.73',
      'tenant BRL': '0',
      'treasury:exchange BRL': '-96.38',
      'treasury:exchange USDT': '17.782288',
      'tenant USDT': '-17.782288',
    })
    const payouts = await harness.deps.payouts.findAll(payment)
    expect(payouts.map(({ amount, fiatAmount }) => [amount, fiatAmount])).toEqual([
      ['10.669373', '57.83'],
      ['7.112915', '38.55'],
    ])
  })

  it('is each rail its own, and nothing where none is set', async () => {
    await setFees('card', '--percent', '4')
    const pix = await chargedPayment(harness)
    expect(await shownOf(pix.payment)).toMatchObject({ amountTo: '18.450185', fees: { platform: '0', spread: '0' } })
    const terms = { splitPaymentConfig: [{ receiverWallet: RECEIVERS[0], receiverPercent: 100 }] }
    const card = await payByCard(harness, await cardPayment(harness, terms), { transactionType: 'cardcrypto' })
    expect(await shownOf(card)).toMatchObject({ fees: { currency: 'BRL', platform: '4', spread: '0' } })
    expect(await linesOf(card)).toMatchObject({ 'revenue:fee BRL': '-4', 'tenant BRL': '0' })
  })

  it('stays with the platform when the payer is refunded: the tenant pays it from its balance', async () => {
    await setFees('pix', '--percent', '10')
    const { payment } = await paidPayment(harness)
    expect(await outcomeOf(orderRefund(harness, payment))).toBe('insufficient_refund_balance')
    await fundRefunds(harness.databaseUrl, tenantId, '10', payment.id)
    await orderRefund(harness, payment)
    expect(await untilRefunded(harness, payment)).toMatchObject([{ amount: '100', status: 'succeeded' }])
    expect(await refundsOf(harness, payment)).toHaveLength(1)
    expect(await linesOf(payment)).toMatchObject({
      'provider:pix BRL': '0',
      'revenue:fee BRL': '-10',
      'tenant BRL': '0',
      'tenant USDT': '0',
    })
  })

  it('of what the processor shares out in fiat is its own recipient’s part, and goes back with the money', async () => {
    await setFees('card', '--percent', '4', '--fixed', '0.39', '--spread', '5')
    const payment = await payByCard(harness, await cardPayment(harness))
    await setFees('card', '--percent', '20')
    expect(await shownOf(payment)).toMatchObject({ quote: null, fees: { platform: '4.39', spread: '0' } })
    expect(await linesOf(payment)).toEqual({
      'provider:card BRL': '4.39',
      'revenue:fee BRL': '-4.39',
      'tenant BRL': '0',
    })
    expect(await sharesAtProcessor(payment)).toEqual({ rp_shop0001: 6374, rp_partner2: 3187, rp_platform: 439 })
    for (const amount of ['33.33', '0.01', undefined]) {
      await orderRefund(harness, payment, amount === undefined ? {} : { amount })
      await untilRefunded(harness, payment)
    }
    expect((await refundsOf(harness, payment)).map(({ amount, status }) => [amount, status])).toEqual([
      ['33.33', 'succeeded'],
      ['0.01', 'succeeded'],
      ['66.66', 'succeeded'],
    ])
    const given = await harness.query(
      `select entry, debit::text from payments.ledger_line where payment_id = $1 and account = 'revenue:fee' and debit > 0
        order by debit`,
      [payment.id],
    )
    // Of one cent nothing is ours; with the last of the money the last of the fee goes back.
    expect(given.map(({ debit }) => Number(debit))).toEqual([1.46, 2.93])
    expect(await linesOf(payment)).toMatchObject({
      'provider:card BRL': '0',
      'revenue:fee BRL': '0',
      'refunds:card BRL': '0',
    })
  })

  it('that leaves nothing for the receivers refuses the payment before anybody is charged', async () => {
    await setFees('pix', '--fixed', '100')
    const payment = await checkoutPayment(harness)
    await expect(startPix(harness, payment)).rejects.toMatchObject({
      code: 'validation_error',
      message: 'paymentId: the fees leave nothing of 100 BRL for the receivers',
    })
  })

  it('is never set above its bound, nor for wallets, which pay the receivers themselves', async () => {
    for (const terms of [
      ['--percent', '20.01'],
      ['--fixed', '1000.01'],
      ['--spread', '10.5'],
      ['--percent', '1e1'],
    ])
      expect((await setFees('pix', ...terms)).code).toBe(2)
    expect(await setFees('crypto', '--percent', '1')).toMatchObject({ code: 2, text: expect.stringContaining('--rail') as string }) // prettier-ignore
    expect(await harness.deps.fees.list(tenantId)).toMatchObject([{ percent: '0' }, { percent: '0' }])
  })
})

describe("the provider's fee", () => {
  it('is what the provider says, and the platform bears it', async () => {
    const { payment } = await paidPayment(harness, {}, { tarifa: '0.99' })
    expect(await shownOf(payment)).toMatchObject({ amountTo: '18.450185', fees: { provider: '0.99' } })
    const lines = await linesOf(payment)
    expect(lines).toMatchObject({ 'provider:pix BRL': '99.01', 'cost:pix BRL': '0.99', 'tenant BRL': '0' })
  })
})
