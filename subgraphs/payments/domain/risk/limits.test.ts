import { describe, expect, it } from 'vitest'
import { CARDS } from '../../../../sandbox/demo/card-payer.js'
import { completeMethods } from '../../../../terms/methods.js'
import { AppError } from '../../../../kernel/errors.js'
import { fault } from '../../../../test/harness/control.js'
import { CPF, startPaymentsHarness } from '../../../../test/harness/payments.js'
import { outcomeOf } from '../../../../test/harness/refusal.js'
import { cardPayment, payByCard } from '../../fixtures/card-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { chargedPayment, presentOf, startPix } from '../../fixtures/pix-payments.js'
import { runLedger } from '../../fixtures/run-ledger.js'
import { chargesOf } from '../../fixtures/rows.js'
import { RECEIVERS } from '../../../../test/harness/chains.js'
import type { Payment } from '../../store/payment.entity.js'

const harness = await startPaymentsHarness()
const { id: tenantId } = harness.tenant

const run = (...args: string[]): Promise<number> => runLedger(harness, ...args)
const setLimits = (...limits: string[]) => run('limits', '--tenant', tenantId, '--currency', 'BRL', ...limits)
const begin = async (amountFrom: string, payer: object = {}) =>
  outcomeOf(startPix(harness, await checkoutPayment(harness, { amountFrom }), payer))
/** A Pix payment whose charge nobody has paid. */
async function lapsedPix(amountFrom: string): Promise<Payment> {
  const { payment, txid } = await chargedPayment(harness, { amountFrom })
  await harness.pixControl(`/cob/${txid}/expire`)
  await harness.advance(30)
  await harness.runJobs()
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'error' })
  return payment
}

const DAY = 24 * 3_600
const OTHER = { payerEmail: 'bia@example.com', payerCpf: '111.444.777-35' }

describe('the limits of a tenant', () => {
  it('bind nobody by default, nor in another currency', async () => {
    expect(await begin('100000')).toBe('done')
    expect(await setLimits('--per-payment', '50')).toBe(0)
    const payment = await checkoutPayment(harness, { amountFrom: '60', fromCurrencySymbol: 'USD' })
    expect(await outcomeOf(startPix(harness, payment))).toBe('done')
  })

  it('refuse a payment above the limit before anything is charged, and say which', async () => {
    await setLimits('--per-payment', '50')
    const payment = await checkoutPayment(harness, { amountFrom: '50.01' })
    await expect(startPix(harness, payment)).rejects.toMatchObject({
      code: 'payment_limit_exceeded',
      details: 'per payment: 50 BRL',
    })
    expect(await chargesOf(harness, payment)).toEqual([])
    expect(await begin('50')).toBe('done')
  })

  it('count a payer by tax id, e-mail or card, whichever is the same, for 24 hours', async () => {
    await harness.advance(DAY + 1)
    await setLimits('--per-payer-day', '100')
    expect(await begin('60')).toBe('done')
    expect(await begin('60', { payerEmail: 'another@example.com' })).toBe('payment_limit_exceeded')
    expect(await begin('60', { payerCpf: OTHER.payerCpf })).toBe('payment_limit_exceeded')
    const splitPaymentConfig = [{ receiverWallet: RECEIVERS[0], receiverPercent: 100 }]
    const card = await cardPayment(harness, { amountFrom: '60', splitPaymentConfig })
    const changes = { transactionType: 'cardcrypto', payerEmail: 'third@example.com', payerDocument: CPF } as const
    expect(await outcomeOf(payByCard(harness, card, changes))).toBe('payment_limit_exceeded')
    expect(await begin('60', OTHER)).toBe('done')
    expect(await begin('40')).toBe('done')
    await harness.advance(DAY + 1)
    expect(await begin('60')).toBe('done')
  })

  it('hold when 20 payments race, and count one payment once however often it is begun', async () => {
    await harness.advance(DAY + 1)
    await setLimits('--per-tenant-day', '100')
    const payment = await checkoutPayment(harness, { amountFrom: '40' })
    for (let attempt = 0; attempt < 4; attempt += 1) expect(await outcomeOf(startPix(harness, payment))).toBe('done')
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => begin('20')))
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(3)
    expect(new Set(outcomes)).toEqual(new Set(['done', 'payment_limit_exceeded']))
  })

  it('count a charge that is shown again for the payer that it was made for, whoever asks', async () => {
    await harness.advance(DAY + 1)
    await setLimits('--per-payer-day', '100')
    const payment = await checkoutPayment(harness, { amountFrom: '60' })
    const { chargeId } = await startPix(harness, payment)
    expect(await startPix(harness, payment, OTHER)).toMatchObject({ chargeId })
    expect(await begin('60')).toBe('payment_limit_exceeded')
    expect(await begin('60', OTHER)).toBe('done')
    // A limit that was lowered since keeps no payer from the code that he has.
    await setLimits('--per-payment', '50')
    expect(await startPix(harness, payment)).toMatchObject({ chargeId })
  })

  it('count nothing of what is refused because it cannot be priced, by Pix and by card', async () => {
    await harness.advance(DAY + 1)
    await setLimits('--per-tenant-day', '100')
    const payableMarket = () => Promise.reject(new AppError('provider_unavailable'))
    const unpriced = { ...harness, deps: { ...harness.deps, payableMarket } }
    const pix = await checkoutPayment(harness, { amountFrom: '100' })
    expect(await outcomeOf(startPix(unpriced, pix))).toBe('provider_unavailable')
    const splitPaymentConfig = [{ receiverWallet: RECEIVERS[0], receiverPercent: 100 }]
    const card = await cardPayment(harness, { amountFrom: '100', splitPaymentConfig })
    const byCard = payByCard(unpriced, card, { transactionType: 'cardcrypto' })
    expect(await outcomeOf(byCard)).toBe('provider_unavailable')
    expect(await begin('100')).toBe('done')
    expect(await begin('20')).toBe('payment_limit_exceeded')
  })

  it('count what no provider has made for as long as it may be on its way', async () => {
    await harness.advance(DAY + 1)
    await setLimits('--per-tenant-day', '100')
    await fault(harness.pix.url, 'down')
    expect(await begin('100')).toMatch(/^provider_/)
    await fault(harness.pix.url, 'ok')
    expect(await begin('100')).toBe('payment_limit_exceeded')
    await harness.advance(121)
    expect(await begin('100')).toBe('done')
  })

  it('count what had failed as soon as it is started again, and no longer than its start takes where that fails', async () => {
    await harness.advance(DAY + 1)
    await setLimits()
    const [first, second] = [await lapsedPix('60'), await lapsedPix('60')]
    await setLimits('--per-tenant-day', '100')
    await fault(harness.pix.url, 'down')
    expect(await outcomeOf(startPix(harness, first))).toMatch(/^provider_/)
    await fault(harness.pix.url, 'ok')
    expect(await presentOf(harness, first)).toMatchObject({ status: 'error' })
    expect(await outcomeOf(startPix(harness, second))).toBe('payment_limit_exceeded')
    await harness.advance(121)
    expect(await outcomeOf(startPix(harness, second))).toBe('done')
  })

  it('count nothing of a card from the moment in which it is refused again', async () => {
    await harness.advance(DAY + 1)
    await setLimits('--per-tenant-day', '100')
    const card = await cardPayment(harness, { amountFrom: '100' })
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await payByCard(harness, card, {}, CARDS.refused)).toMatchObject({ status: 'reproved' })
    }
    expect(await begin('100')).toBe('done')
  })

  it('give room once where a payment that changes the way to pay loses it to another in between', async () => {
    await harness.advance(DAY + 1)
    await setLimits('--per-tenant-day', '100')
    const methods = completeMethods({ pixcrypto: true, cardcrypto: true })
    const registered = await checkoutPayment(harness, { amountFrom: '100', paymentMethodAllowed: methods })
    const changing = await startPix(harness, registered)
    const others: string[] = []
    const payableMarket: typeof harness.deps.payableMarket = async (...asked) => {
      const { status } = await presentOf(harness, changing)
      if (status === 'error' && others.length === 0) others.push(await begin('100'))
      return harness.deps.payableMarket(...asked)
    }
    const racing = { ...harness, deps: { ...harness.deps, payableMarket } }
    const byCard = payByCard(racing, changing, { transactionType: 'cardcrypto' })
    expect(await outcomeOf(byCard)).toBe('payment_limit_exceeded')
    expect(others).toEqual(['done'])
    expect(harness.card.countOrders(`${changing.id}-2`)).toBe(0)
  })

  it('keep nothing that names a payer', async () => {
    const rows = JSON.stringify(await harness.query('select * from payments.limit_use'))
    for (const text of ['example.com', '52998224725', CPF]) expect(rows).not.toContain(text)
  })

  it('are amounts above nothing', async () => {
    for (const amount of ['0', '-1', 'much']) expect(await setLimits('--per-payment', amount)).toBe(2)
  })
})

describe('two payers who begin the same payment at once', () => {
  /** The start of a payment whose process stands still before one step of it, until it is let go on. */
  async function heldStart(payment: Payment, payer: object, step: 'limits' | 'create') {
    const gate = Promise.withResolvers<undefined>()
    const reached = Promise.withResolvers<undefined>()
    const hold = async (): Promise<void> => {
      reached.resolve(undefined)
      await gate.promise
    }
    const { risk, rails } = harness.deps
    const limits: typeof risk.limits = async (...of) => {
      if (step === 'limits') await hold()
      return risk.limits(...of)
    }
    const held = rails.map((rail) => {
      if (rail.kind !== 'charge' || step !== 'create') return rail
      const create: typeof rail.adapter.create = async (order) => {
        await hold()
        return rail.adapter.create(order)
      }
      return { ...rail, adapter: { ...rail.adapter, create } }
    })
    const deps = { ...harness.deps, rails: held, risk: { ...risk, limits } }
    const outcome = outcomeOf(startPix({ ...harness, deps }, payment, payer))
    await reached.promise
    return () => {
      gate.resolve(undefined)
      return outcome
    }
  }
  const payersOf = ({ id }: Payment) => harness.deps.risk.payersOf(tenantId, id)

  it.each([
    ['and one of them gets its charge though the other was counted last', 'create'],
    ['and one of them is counted when the other has its charge', 'limits'],
  ] as const)('are counted as the one who gets it: %s', async (_case, step) => {
    await harness.advance(DAY + 1)
    await setLimits('--per-payer-day', '100')
    const counted = await checkoutPayment(harness, { amountFrom: '1' })
    await startPix(harness, counted)
    const payment = await checkoutPayment(harness, { amountFrom: '60' })
    const first = step === 'create' ? await heldStart(payment, {}, step) : () => outcomeOf(startPix(harness, payment))
    const second = await heldStart(payment, OTHER, step)
    expect(await first()).toBe('done')
    expect(await second()).toBe('payment_already_processed')
    expect(await payersOf(payment)).toEqual(await payersOf(counted))
    expect(await begin('60')).toBe('payment_limit_exceeded')
    expect(await begin('60', OTHER)).toBe('done')
  })
})
