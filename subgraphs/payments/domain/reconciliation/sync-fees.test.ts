import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { cardPayment, changeCharge, chargeIdOf, payByCard } from '../../fixtures/card-payments.js'
import { Crash, crashingDeps } from '../../fixtures/crashing-deps.js'
import { protocolError } from '../../../../kernel/provider-error.js'
import { cardRail } from '../../rails/card/rail.js'
import { rowReader } from '../../rails/row-reader.js'
import { railDepsOf } from '../../../../test/harness/payments.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Payable } from '../../store/payables.js'
import { resolveDifference } from './resolve-difference.js'
import { reconcile } from './reconcile-jobs.js'
import { syncReceived } from './sync-received.js'

const harness = await startPaymentsHarness()
const { deps } = harness

/** The same product where so much was agreed with the processor. */
const agreed = (feeMaxPercent: string): typeof deps => {
  const rail = cardRail({ ...harness.railSettings.card, feeMaxPercent })(railDepsOf(harness))
  return { ...deps, rails: [rail] }
}
/** The same product whose processor lists one payable more, or some of them not yet. */
function listing(more?: Payable, isListed: (payable: Payable) => boolean = () => true): typeof deps {
  const rails = deps.rails.map((rail) => {
    if (rail.kind !== 'charge' || !rail.adapter.listPayables) return rail
    const { adapter } = rail
    const listPayables: ChargeRail['adapter']['listPayables'] = async function* (window) {
      for await (const payable of adapter.listPayables?.(window) ?? []) if (isListed(payable)) yield payable
      if (more) yield more
    }
    return { ...rail, adapter: { ...adapter, listPayables } }
  })
  return { ...deps, rails }
}
const feesOf = async (id: string) =>
  (
    await harness.query(
      `select sum(debit - credit)::numeric(10, 2)::text as fee, count(*)::int as entries from payments.ledger_line
        where payment_id = $1 and account = 'cost:card'`,
      [id],
    )
  )[0]
const providerFee = async (id: string) =>
  (await harness.query('select provider_fee from payments.receipt where payment_id = $1', [id]))[0]?.['provider_fee']
const differences = () =>
  harness.query(
    `select id::text, kind, subject, expected, actual from payments.difference where kind = 'wrong_fee' and closed_at is null`,
  )
/** A payment by card whose money stays with us until the treasury has paid. */
const toCrypto = () => cardPayment(harness, { splitPaymentConfig: [{ receiverWallet: CRYPTO, receiverPercent: 100 }] })
const CRYPTO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const pay = async () => payByCard(harness, await toCrypto(), { transactionType: 'cardcrypto' })

describe('what the processor lists as gone back and no charge of its shows', () => {
  const goneBack = () =>
    harness.query(
      `select kind, expected, actual from payments.difference where subject like 'payables:%' and closed_at is null`,
    )
  const night = async (by: typeof deps) => {
    await harness.advance(86_400)
    await reconcile(by, { rail: 'card' })
    await harness.runJobs()
  }

  it('is told as a difference after some nights, until it adds up', async () => {
    const payment = await pay()
    await changeCharge(harness, payment, 'refund', { amount: 1_000 })
    await night(deps)
    expect(await goneBack()).toEqual([])
    const listed = listing({ id: 'py_none', receiptId: chargeIdOf(payment), type: 'refund', amount: '-7', fee: '0' })
    await night(listed)
    await night(listed)
    expect(await goneBack()).toEqual([])
    for (let count = 0; count < 3; count += 1) await night(listed)
    expect(await goneBack()).toEqual([{ kind: 'unbooked_refund', expected: '10', actual: '17' }])
    await changeCharge(harness, payment, 'refund', { amount: 700 })
    await harness.query(`update payments.provider_payable set amount = '0' where id = 'py_none'`)
    await night(deps)
    expect(await goneBack()).toEqual([])
    expect(await deps.ledger.findDiscrepancies({ isAll: true })).toEqual([])
  })

  it('is no difference yet where the list is some nights behind what was booked since, and is told in the words of that after them', async () => {
    const payment = await pay()
    await changeCharge(harness, payment, 'refund', { amount: 1_000 })
    for (let count = 0; count < 5; count += 1) await night(deps)
    await changeCharge(harness, payment, 'refund', { amount: 700 })
    const behind = listing(undefined, ({ amount }) => amount !== '-7')
    for (let count = 0; count < 3; count += 1) {
      expect(await goneBack()).toEqual([])
      await night(behind)
    }
    await night(behind)
    expect(await goneBack()).toEqual([{ kind: 'missing_refund', expected: '17', actual: '10' }])
    const told = (await deps.alerts.list()).find(({ subject }) => subject.includes(`:${payment.id}:`))
    expect(told?.details).toContain('the list of payables does not say so')
    await night(deps)
    expect(await goneBack()).toEqual([])
  })
})

describe("the processor's own figures", () => {
  it('are booked as a cost against what it owes, once, however often they are listed', async () => {
    const payment = await pay()
    for (let times = 0; times < 3; times += 1) await syncReceived(deps)
    await reconcile(deps, { rail: 'card' })
    expect(await feesOf(payment.id)).toEqual({ fee: '2.99', entries: 1 })
    expect(await providerFee(payment.id)).toBe('2.99')
    expect(await deps.ledger.findDiscrepancies({ isAll: true })).toEqual([])
  })

  it('are booked by what they change when they change, up and down', async () => {
    const payment = await pay()
    await syncReceived(deps)
    for (const [more, fee] of [
      [50, '3.49'],
      [-149, '2.00'],
      [-300, '-1.00'],
    ] as const) {
      await harness.advance(60)
      await harness.cardControl('/fees', { charge: chargeIdOf(payment), more })
      await syncReceived(deps)
      await syncReceived(deps)
      expect((await feesOf(payment.id))?.['fee']).toBe(fee)
    }
    expect(await deps.ledger.findDiscrepancies({ isAll: true })).toEqual([])
  })

  it('stay as they were after a refund and a chargeback that is won: none is given back', async () => {
    const payment = await pay()
    await changeCharge(harness, payment, 'refund', { amount: 1_000 })
    await changeCharge(harness, payment, 'chargeback')
    await harness.cardControl(`/charges/${chargeIdOf(payment)}/win`)
    await syncReceived(deps)
    expect((await feesOf(payment.id))?.['fee']).toBe('2.99')
    const types = await harness.query(
      'select type, amount from payments.provider_payable where payment_id = $1 order by amount::numeric',
      [payment.id],
    )
    expect(types).toEqual([
      { type: 'chargeback', amount: '-90' },
      { type: 'refund', amount: '-10' },
      { type: 'chargeback_refund', amount: '90' },
      { type: 'credit', amount: '100' },
    ])
  })

  it("are the receivers' where the processor has shared the money out", async () => {
    const payment = await payByCard(harness, await cardPayment(harness))
    await syncReceived(deps)
    expect(await feesOf(payment.id)).toEqual({ fee: null, entries: 0 })
    expect(await providerFee(payment.id)).toBeNull()
    expect(
      await harness.query('select distinct is_ours from payments.provider_payable where payment_id = $1', [payment.id]),
    ).toEqual([{ is_ours: false }])
  })

  it('are booked later where the processor was away, and none is left out', async () => {
    await syncReceived(deps)
    const payment = await pay()
    await harness.advance(9 * 86_400)
    await harness.cardControl('/faults', { mode: 'down' })
    await syncReceived(deps)
    await harness.cardControl('/faults', { mode: 'ok' })
    await syncReceived(deps)
    expect((await feesOf(payment.id))?.['fee']).toBe('2.99')
  })

  it('are listed once where nobody can read one of them, which is told every night', async () => {
    await syncReceived(deps)
    await harness.advance(3_600)
    const begun = harness.clock.now().getTime()
    const payment = await pay()
    const froms: Date[] = []
    const [rail] = agreed('100').rails.filter((one) => one.kind === 'charge')
    if (!rail?.adapter.listPayables) throw new Error('there is no list')
    const { adapter } = rail
    const listPayables: typeof adapter.listPayables = async function* (window) {
      froms.push(window.from)
      yield* adapter.listPayables?.(window) ?? []
      const rows = rowReader((): never => {
        throw protocolError('card', 'a payable of no charge')
      })
      rows.read({})
      rows.end()
    }
    const odd = { ...deps, rails: [{ ...rail, adapter: { ...adapter, listPayables } }] }
    await syncReceived(odd)
    await harness.advance(2 * 3_600)
    await syncReceived(odd)
    expect((await feesOf(payment.id))?.['fee']).toBe('2.99')
    const [first, second] = froms.map((from) => from.getTime())
    expect(first).toBeLessThan(begun - 15 * 60_000)
    expect(second).toBeGreaterThanOrEqual(begun - 15 * 60_000)
    await expect(reconcile(odd, { rail: 'card' })).rejects.toThrow('a payable of no charge')
  })

  it('are booked once wherever the process dies', async () => {
    const payment = await pay()
    const { steps } = await died({ atStep: -1, side: 'before' })
    expect(steps).toContain('ledger.book')
    const payments = [payment]
    for (const side of ['before', 'after'] as const)
      for (const atStep of new Set(steps)) {
        const one = await pay()
        payments.push(one)
        expect(await died({ atStep, side }).then(({ error }) => error)).toBeInstanceOf(Crash)
        await syncReceived(deps)
        expect(await feesOf(one.id)).toEqual({ fee: '2.99', entries: 1 })
      }
    expect(await deps.ledger.findDiscrepancies({ isAll: true })).toEqual([])
  })
})

/** A run of a process that dies. */
async function died(plan: Parameters<typeof crashingDeps>[1]) {
  const mortal = crashingDeps(deps, plan)
  const error = await syncReceived(mortal.deps).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return { steps: mortal.steps, error }
}

describe('what the processor keeps beyond the contract', () => {
  it('is a difference with an alert that a person resolves, and what was agreed is none', async () => {
    const [good, bad] = [await pay(), await pay()]
    await harness.cardControl('/fees', { charge: chargeIdOf(bad), more: 1 })
    await syncReceived(agreed('2.99'))
    await harness.runJobs()
    const found = await differences()
    expect(found).toMatchObject([{ subject: `card:${bad.id}:${chargeIdOf(bad)}`, expected: '2.99', actual: '3' }])
    expect((await deps.alerts.list()).map(({ subject }) => subject)).toContain(
      `wrong_fee:card:${bad.id}:${chargeIdOf(bad)}`,
    )
    expect(JSON.stringify(found)).not.toContain(good.id)
    const id = String(found[0]?.['id'])
    await resolveDifference(deps, { id, reason: 'a foreign card', by: 'ana', as: undefined })
    await reconcile(agreed('2.99'), { rail: 'card' })
    expect(await differences()).toEqual([])
  })

  it('is gone when the processor has corrected it', async () => {
    const payment = await pay()
    await harness.cardControl('/fees', { charge: chargeIdOf(payment), more: 100 })
    await syncReceived(agreed('3'))
    expect(await differences()).toHaveLength(1)
    await harness.cardControl('/fees', { charge: chargeIdOf(payment), more: -100 })
    await syncReceived(agreed('3'))
    expect(await differences()).toEqual([])
  })
})
