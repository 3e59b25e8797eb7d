import { describe, expect, it } from 'vitest'
import { RECEIVERS } from '../../../../test/harness/chains.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { until } from '../../../../test/harness/until.js'
import { balanceIn, openDifferences } from '../../fixtures/books.js'
import { cardPayment, changeCharge, chargeIdOf, countCallbacks, payByCard } from '../../fixtures/card-payments.js'
import { Crash, crashingDeps } from '../../fixtures/crashing-deps.js'
import { returnsOf, setFirstPayout } from '../../fixtures/rows.js'
import type { ChargeView } from '../../model/charge.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Payment } from '../../store/payment.entity.js'
import { syncCharge } from '../charges/sync-charge.js'
import { listDisputes } from '../refunds/list-disputes.js'
import { reconcile } from './reconcile-jobs.js'
import { syncReceived } from './sync-received.js'

const harness = await startPaymentsHarness()
const { deps, tenant } = harness
const DAY = 86_400
const split = [{ receiverWallet: RECEIVERS[0], receiverPercent: 100 }]

/** A payment of 100 by card whose payout has left, and whose charge is watched no more. */
async function oldPayment(): Promise<Payment> {
  const terms = await cardPayment(harness, { splitPaymentConfig: split })
  const payment = await payByCard(harness, terms, { transactionType: 'cardcrypto' })
  await until('the callbacks of the payment', async () => (await countCallbacks(harness, payment)) === 2)
  await setFirstPayout(harness, payment, 'sending')
  await harness.goOn(60)
  return payment
}

/** The same, of which a chargeback has taken the money back. */
async function disputedPayment(): Promise<Payment> {
  const payment = await oldPayment()
  await changeCharge(harness, payment, 'chargeback')
  await harness.goOn(60)
  return payment
}

const win = (payment: Payment) => harness.cardControl(`/charges/${chargeIdOf(payment)}/win`)

/** The processor takes the money back, and its callback is lost, as all are from then on. */
async function takeBackUntold(payment: Payment): Promise<void> {
  harness.card.setCallbackUrl('http://127.0.0.1:1')
  await harness.cardControl(`/charges/${chargeIdOf(payment)}/chargeback`)
}

const disputesOf = async ({ id }: Payment) =>
  (await listDisputes(deps, tenant, { first: 100 })).edges
    .filter(({ node }) => node.paymentId === id)
    .map(({ node }) => node.status)

/** What the tenant owes. */
const owed = () => balanceIn(deps, 'tenant', 'BRL')

/** The same product, whose processor's answers about single charges go through here. */
function asking(change: (retrieve: ChargeRail['adapter']['retrieve'], reference: string) => unknown): typeof deps {
  const rails = deps.rails.map((rail) => {
    if (rail.kind !== 'charge' || rail.name !== 'card') return rail
    const retrieve = (reference: string) => change(rail.adapter.retrieve, reference)
    return { ...rail, adapter: { ...rail.adapter, retrieve } } as ChargeRail
  })
  return { ...deps, rails }
}

async function nights(count: number, by: typeof deps = deps): Promise<void> {
  for (let night = 0; night < count; night += 1) {
    await harness.advance(DAY)
    await reconcile(by, { rail: 'card' }).catch(() => undefined)
    await harness.runJobs()
  }
}

describe('what goes back of a card, or comes again, and no callback tells of', () => {
  it.each([
    ['the nightly comparison', () => nights(1)],
    ['the list that is read every five minutes', () => syncReceived(deps)],
  ])('is booked where a chargeback is won weeks after its order: by %s', async (_name, look) => {
    const before = await owed()
    const payment = await disputedPayment()
    expect(await disputesOf(payment)).toEqual(['taken_back'])
    expect(Number(await owed()) - Number(before)).toBe(100)
    await harness.advance(45 * DAY)
    await win(payment)
    await look()
    await harness.runJobs()
    expect(await disputesOf(payment)).toEqual(['won'])
    expect(await owed()).toBe(before)
    expect((await deps.alerts.list()).map(({ kind, subject }) => `${kind} ${subject}`)).toContain(
      `chargeback_won ${payment.id}`,
    )
    expect(await openDifferences(deps)).toEqual([])
    expect(await deps.ledger.findDiscrepancies({ isAll: true })).toEqual([])
  })

  it('is booked later where the charge could not be asked for, or was shown as it was before', async () => {
    const payment = await disputedPayment()
    await harness.advance(45 * DAY)
    const [rail] = deps.rails.filter((one): one is ChargeRail => one.kind === 'charge' && one.name === 'card')
    const old = await rail?.adapter.retrieve(payment.id)
    await win(payment)
    await harness.advance(60)
    await syncReceived(asking(() => Promise.reject(new Error('nobody can read it'))))
    await syncReceived(asking(() => Promise.resolve(old)))
    expect(await disputesOf(payment)).toEqual(['taken_back'])
    await nights(1)
    expect(await disputesOf(payment)).toEqual(['won'])
  })

  it('is booked where it comes within minutes, and an answer from before is no evidence then either', async () => {
    const payment = await oldPayment()
    const [rail] = deps.rails.filter((one): one is ChargeRail => one.kind === 'charge' && one.name === 'card')
    if (!rail) throw new Error('no processor of cards')
    const show = async (view?: ChargeView) => {
      const retrieve = () => (view ? Promise.resolve(view) : rail.adapter.retrieve(payment.id))
      const charge = await deps.charges.findByReference('card', payment.id)
      if (charge) await syncCharge(deps, { ...rail, adapter: { ...rail.adapter, retrieve } }, charge)
      await harness.advance(60)
      return disputesOf(payment)
    }
    const paid = await rail.adapter.retrieve(payment.id)
    await changeCharge(harness, payment, 'chargeback')
    await harness.advance(60)
    const takenBack = await rail.adapter.retrieve(payment.id)
    expect(await show(paid)).toEqual(['taken_back'])
    await win(payment)
    expect(await show()).toEqual(['won'])
    expect(await show(takenBack)).toEqual(['won'])
    await harness.cardControl(`/charges/${chargeIdOf(payment)}/chargeback`)
    expect(await show()).toEqual(['taken_back', 'won'])
    expect(await show(paid)).toEqual(['taken_back', 'won'])
    expect(await deps.ledger.findDiscrepancies({ isAll: true })).toEqual([])
  })

  it('is booked once wherever the process dies', async () => {
    const disputed = async () => {
      const payment = await disputedPayment()
      await harness.advance(45 * DAY)
      await win(payment)
      return payment
    }
    const first = await disputed()
    const whole = crashingDeps(deps, { atStep: -1, side: 'before' })
    await syncReceived(whole.deps)
    expect(await disputesOf(first)).toEqual(['won'])
    for (const atStep of new Set(whole.steps))
      for (const side of ['before', 'after'] as const) {
        const payment = await disputed()
        const mortal = crashingDeps(deps, { atStep, side })
        await expect(syncReceived(mortal.deps)).rejects.toBeInstanceOf(Crash)
        await nights(1)
        expect(await disputesOf(payment)).toEqual(['won'])
        expect((await returnsOf(harness, payment)).length).toBe(1)
      }
    expect(await deps.ledger.findDiscrepancies({ isAll: true })).toEqual([])
  })

  it('is asked for where it is not booked alone: no night asks for what is', async () => {
    const payment = await disputedPayment()
    await changeCharge(harness, await oldPayment(), 'refund', { amount: 1_000 })
    await harness.advance(45 * DAY)
    await win(payment)
    const asked: string[] = []
    const counting = asking((retrieve, reference) => {
      asked.push(reference)
      return retrieve(reference)
    })
    await nights(5, counting)
    expect(asked).toEqual([payment.id])
  })

  it('is booked of an order that is in no list of orders any more', async () => {
    const payment = await oldPayment()
    await harness.advance(150 * DAY)
    await takeBackUntold(payment)
    await nights(1)
    expect(await disputesOf(payment)).toEqual(['taken_back'])
    await harness.advance(45 * DAY)
    await win(payment)
    await nights(1)
    expect(await disputesOf(payment)).toEqual(['won'])
    expect(await deps.ledger.findDiscrepancies({ isAll: true })).toEqual([])
  })
})
