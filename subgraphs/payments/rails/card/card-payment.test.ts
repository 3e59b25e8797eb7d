import { describe, expect, it } from 'vitest'
import { CARDS } from '../../../../sandbox/demo/card-payer.js'
import { createTransaction } from '../../domain/create-transaction.js'
import {
  cardData,
  cardInput,
  cardPayment,
  changeCharge,
  chargeIdOf,
  countCallbacks,
  orderOf,
  payByCard,
  rawCard,
} from '../../fixtures/card-payments.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { runDueJobs } from '../../../../test/harness/job-runner.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import { orderRefund, refundsOf } from '../../fixtures/refunds.js'
import { bookedFor } from '../../fixtures/rows.js'
import { until } from '../../../../test/harness/until.js'
import { paymentJobs } from '../../jobs.js'
import type { Payment } from '../../store/payment.entity.js'

const harness = await startPaymentsHarness()

const eventsOf = async ({ id }: Payment) =>
  (await harness.deps.payments.history(harness.tenant.id, id)).map(({ type, cause, notify }) => [type, cause, notify])
const toWallet = {
  splitPaymentConfig: [{ receiverWallet: '0x1111111111111111111111111111111111111111', receiverPercent: 100 }],
}

describe('a card that pays in fiat', () => {
  it('ends in success at once: the processor shares the cents out, and the ledger balances', async () => {
    const payment = await payByCard(harness, await cardPayment(harness))
    expect(payment).toMatchObject({ status: 'success', transactionType: 'cardfiat', payerCpf: null, amountTo: null })
    expect(orderOf(payment)).toMatchObject({ status: 'paid', amount: 10_000, currency: 'BRL' })
    expect(orderOf(payment).charges[0]?.last_transaction.split).toMatchObject([
      { recipient_id: 'rp_shop0001', amount: 6667, options: { liable: true, charge_processing_fee: true } },
      { recipient_id: 'rp_partner2', amount: 3333, options: { liable: false } },
    ])
    expect(await eventsOf(payment)).toEqual([
      ['payment.registered', 'registered', true],
      ['payment.pending', 'transaction_created', true],
      ['payment.success', 'charge_paid', true],
    ])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
    expect(await harness.deps.payouts.findAll(payment)).toEqual([])
  })

  it('shows of the card its brand, last four digits and holder, and nothing else', async () => {
    const payment = await payByCard(harness, await cardPayment(harness))
    expect(orderOf(payment).charges[0]?.last_transaction.card).toEqual({
      brand: 'Visa',
      last_four_digits: '0010',
      holder_name: 'ANA SILVA',
    })
    const text = JSON.stringify(payment.globalPaymentData)
    for (const secret of [CARDS.paid, '400000', '52998224725', '529.982', '987654321', 'Paulista', 'exp_']) {
      expect(text).not.toContain(secret)
    }
  })

  it('charges a price in another fiat in the worth that it has in the currency of the processor', async () => {
    const payment = await payByCard(
      harness,
      await cardPayment(harness, { fromCurrencySymbol: 'USD', amountFrom: '10' }),
    )
    expect(payment.status).toBe('success')
    expect(orderOf(payment).amount).toBeGreaterThan(4_000)
  })
})

describe('a card that pays in crypto', () => {
  it('leaves the payment pending with what the receivers are owed, once', async () => {
    const payment = await payByCard(harness, await cardPayment(harness, toWallet), { transactionType: 'cardcrypto' })
    expect(payment).toMatchObject({ status: 'pending', transactionType: 'cardcrypto' })
    expect(orderOf(payment).charges[0]?.last_transaction.split).toEqual([])
    const payouts = await harness.deps.payouts.findAll(payment)
    expect(payouts.map(({ amount }) => amount)).toEqual([payment.amountTo])
    await until('the callbacks came', async () => (await countCallbacks(harness, payment)) === 2)
    await harness.runJobs()
    expect(await harness.deps.payouts.findAll(payment)).toHaveLength(1)
  })

  it('pays nobody out any more, where the money is taken back before', async () => {
    const payment = await payByCard(harness, await cardPayment(harness, toWallet), { transactionType: 'cardcrypto' })
    await changeCharge(harness, payment, 'chargeback')
    expect(await presentOf(harness, payment)).toMatchObject({
      status: 'error',
      dataError: { code: 'charge_taken_back' },
    })
    expect((await harness.deps.payouts.findAll(payment)).map(({ state }) => state)).toEqual(['cancelled'])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})

describe('a card that is refused', () => {
  it.each([
    ['by its issuer', {}, CARDS.refused, 'card_declined'],
    [
      'by its issuer for its code',
      { cardData: cardData(CARDS.paid, { card: { ...rawCard(CARDS.paid), cvv: '612' } }) },
      CARDS.paid,
      'card_declined',
    ],
    ['by the antifraud', abroad('11111111111'), CARDS.paid, 'suspected_fraud'],
  ])('%s is reproved, and the payment can be tried again with another', async (_by, changes, number, code) => {
    const payment = await payByCard(harness, await cardPayment(harness), changes, number)
    const message = expect.stringMatching(/\.$/) as string
    expect(payment).toMatchObject({
      status: 'reproved',
      dataError: { code, status: 'reproved', message, details: null },
    })
    expect(orderOf(payment).status).toBe('failed')
    const paid = await payByCard(harness, payment)
    expect(paid).toMatchObject({ status: 'success', dataError: null })
    expect(paid.globalPaymentData).not.toEqual(payment.globalPaymentData)
    expect(harness.card.countOrders(payment.id)).toBe(1)
    expect(harness.card.countOrders(`${payment.id}-2`)).toBe(1)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('by nobody, but lost on the way to its issuer, is in error and not reproved', async () => {
    const payment = await payByCard(harness, await cardPayment(harness), {}, CARDS.failed)
    expect(payment).toMatchObject({ status: 'error', dataError: { code: 'provider_failed' } })
    expect((await payByCard(harness, payment)).status).toBe('success')
  })
})

describe('a charge that takes its time', () => {
  it.each([
    ['processing', {}, CARDS.processing],
    ['under review by the antifraud', abroad('22222222222'), CARDS.paid],
  ])('is pending while it is %s, and takes no second attempt', async (_state, changes, number) => {
    const payment = await payByCard(harness, await cardPayment(harness), changes, number)
    expect(payment.status).toBe('pending')
    await expect(payByCard(harness, payment)).rejects.toMatchObject({ code: 'payment_already_processed' })
    await changeCharge(harness, payment, 'settle')
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is found paid without any callback', async () => {
    harness.card.setCallbackUrl('http://127.0.0.1:1/')
    const payment = await payByCard(harness, await cardPayment(harness), {}, CARDS.processing)
    await harness.goOn(40)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    harness.card.setCallbackUrl(`${harness.options.publicUrl}/callbacks/card/`)
  })

  it('is reproved where the issuer refuses in the end', async () => {
    const payment = await payByCard(harness, await cardPayment(harness), {}, CARDS.processingThenFailed)
    await harness.goOn(40)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'reproved' })
  })
})

describe('money that goes back', () => {
  it('by a chargeback leaves the payment in success, with a ledger entry, an alert and a notice', async () => {
    const payment = await payByCard(harness, await cardPayment(harness))
    await changeCharge(harness, payment, 'chargeback')
    await harness.runJobs()
    const present = await presentOf(harness, payment)
    expect(present).toMatchObject({
      status: 'success',
      globalPaymentData: { returns: [{ reason: 'chargeback', forced: true, status: 'done', amount: '100' }] },
    })
    expect(orderOf(present).charges[0]?.status).toBe('chargedback')
    expect((await eventsOf(payment)).at(-1)).toEqual(['payment.success', 'receipt_taken_back', true])
    const { entries } = await bookedFor(harness, payment)
    expect(entries.filter((entry) => entry.startsWith('return:'))).toHaveLength(1)
    expect(
      (await harness.deps.alerts.list()).some(
        ({ kind, subject }) => kind === 'forced_return' && subject === payment.id,
      ),
    ).toBe(true)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('by a chargeback of what a refund has left is told as a dispute, though one look shows both', async () => {
    const payment = await payByCard(harness, await cardPayment(harness))
    const refund = await orderRefund(harness, payment, { amount: '30' })
    const rails = harness.deps.rails.map((rail) => {
      if (rail.kind !== 'charge' || rail.name !== 'card') return rail
      const refundAndLose: typeof rail.adapter.refund = async (order) => {
        const done = await rail.adapter.refund(order)
        await harness.cardControl(`/charges/${chargeIdOf(payment)}/chargeback`)
        return done
      }
      return { ...rail, adapter: { ...rail.adapter, refund: refundAndLose } }
    })
    await runDueJobs(harness.db.pool, paymentJobs({ ...harness.deps, rails }))
    expect((await refundsOf(harness, payment)).map(({ id, status }) => [id, status])).toEqual([
      [refund.id, 'succeeded'],
    ])
    expect((await eventsOf(payment)).at(-1)).toEqual(['payment.success', 'receipt_taken_back', true])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('by a refund of the dashboard is booked once', async () => {
    const payment = await payByCard(harness, await cardPayment(harness))
    await changeCharge(harness, payment, 'refund')
    await harness.goOn(60)
    const present = await presentOf(harness, payment)
    expect(present).toMatchObject({
      status: 'success',
      globalPaymentData: { status: 'canceled', returns: [{ reason: 'refund' }] },
    })
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})

describe('a callback', () => {
  const callback = (body: object, authorization: string) =>
    fetch(`${harness.options.publicUrl}/callbacks/card/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify(body),
    })
  const good = `Basic ${Buffer.from('processor:a password').toString('base64')}`

  it('without the right user and password is refused and not kept', async () => {
    const before = await harness.query('select 1 from payments.provider_event')
    for (const header of ['', 'Basic eDp5', 'Bearer x']) {
      expect((await callback({ id: 'hook_forged', type: 'order.paid', data: {} }, header)).status).toBe(404)
    }
    expect(await harness.query('select 1 from payments.provider_event')).toHaveLength(before.length)
  })

  it('that lies moves no money: the processor is asked', async () => {
    const payment = await payByCard(harness, await cardPayment(harness), abroad('22222222222'))
    const data = { id: 'or_1', code: payment.id, status: 'paid', charges: [{ status: 'paid', paid_amount: 10_000 }] }
    expect((await callback({ id: 'hook_lie', type: 'order.paid', data }, good)).status).toBe(200)
    await harness.runJobs()
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
  })

  it('that comes again is one event, and what is kept of it holds nothing of card or payer', async () => {
    const payment = await payByCard(harness, await cardPayment(harness))
    const data = { id: 'or_1', code: payment.id, customer: { document: '52998224725' }, card: { number: CARDS.paid } }
    const body = { id: 'hook_twice', type: 'order.paid', data }
    await callback(body, good)
    await callback(body, good)
    expect(await harness.query(`select 1 from payments.provider_event where event_key = 'hook_twice'`)).toHaveLength(1)
    const content = await harness.deps.providerEvents.content('card', 'hook_twice')
    expect(JSON.parse(content ?? '')).toEqual({
      id: 'hook_twice',
      type: 'order.paid',
      created_at: null,
      data: { id: 'or_1', code: payment.id, status: null },
    })
  })
})

describe('two requests at once', () => {
  it('with different cards charge one of them', async () => {
    const payment = await cardPayment(harness)
    const numbers = [CARDS.paid, '5555555555554444', '4111111111111111', '4242424242424242']
    const outcomes = await Promise.allSettled(numbers.map((number) => payByCard(harness, payment, {}, number)))
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(3)
    for (const outcome of refused) {
      expect((outcome as PromiseRejectedResult).reason).toMatchObject({ code: 'payment_already_processed' })
    }
    expect(harness.card.countOrders(payment.id) + harness.card.countOrders(`${payment.id}-2`)).toBe(1)
  })

  it('with one idempotency key are one charge, and the second has the answer of the first', async () => {
    const payment = await cardPayment(harness)
    const replays: string[] = []
    const request = (fingerprint: string) =>
      createTransaction(
        harness.deps,
        {
          ...harness.tenant,
          idempotency: { key: `key-${payment.id}`, fingerprint, onReplay: () => replays.push('again') },
        },
        cardInput(payment),
      )
    const first = await request('a')
    expect(await request('a')).toMatchObject({ id: first.id, status: first.status, sequence: first.sequence })
    expect(replays).toEqual(['again'])
    await expect(request('b')).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    expect(harness.card.countOrders(payment.id)).toBe(1)
  })
})

/** A payer with a passport, who lives outside of Brazil. */
function abroad(payerDocument: string) {
  const data = cardData(CARDS.paid)
  return {
    payerDocument,
    payerDocumentType: 'PASSPORT' as const,
    cardData: { ...data, address: { ...data.address, country: 'US', state: 'NY' } },
  }
}
