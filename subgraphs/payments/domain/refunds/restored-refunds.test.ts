import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { cardPayment, chargeIdOf, payByCard } from '../../fixtures/card-payments.js'
import { Crash, crashingDeps, plansAt } from '../../fixtures/crashing-deps.js'
import { chargeOf } from '../../fixtures/pix-payments.js'
import {
  hearRefunds,
  orderRefund,
  refundedAtProcessor,
  refundedRails,
  refundsOf,
  sendNow,
  untilRefunded,
} from '../../fixtures/refunds.js'
import { backUp } from '../../fixtures/restored-database.js'
import { chargeRailOf } from '../../rails/find-rail.js'
import type { Payment } from '../../store/payment.entity.js'
import { syncCharge } from '../charges/sync-charge.js'
import { findRefundAt } from './find-refund.js'
import { refundPayment } from './refund-payment.js'

/** The processor of cards says how much went back in all, and knows the id of a refund for a day. */
const harness = await startPaymentsHarness()

/** Refunds that were ordered before a backup, and made after it; the database is back at the backup some hours later. */
async function restored(amounts: readonly string[], hours: number) {
  const payment = await payByCard(harness, await cardPayment(harness))
  const ordered = []
  for (const amount of amounts) ordered.push(await orderRefund(harness, payment, { amount }))
  const restore = await backUp(harness)
  expect((await untilRefunded(harness, payment)).every(({ status }) => status === 'succeeded')).toBe(true)
  await harness.advance(hours * 3_600)
  await restore()
  expect((await refundsOf(harness, payment)).map(({ status }) => status)).toEqual(amounts.map(() => 'pending'))
  return { payment, ordered }
}

/** A callback of before, or a list, has the charge looked at. */
async function look(payment: Payment): Promise<void> {
  const rail = chargeRailOf(harness.deps, 'card')
  if (rail) await syncCharge(harness.deps, rail, await chargeOf(harness, payment))
}

describe('a refund by card that was made after the backup to which its database went back', () => {
  const expectMadeOnce = async (payment: Payment, ids: readonly string[], cents: number): Promise<void> => {
    const refunds = await untilRefunded(harness, payment)
    expect(refunds.map(({ id, status }) => ({ id, status }))).toEqual(ids.map((id) => ({ id, status: 'succeeded' })))
    expect(await refundedAtProcessor(harness, payment)).toBe(cents)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  }

  it.each([1, 25])('is not made again %i hours later', async (hours) => {
    const { payment, ordered } = await restored(['12.34'], hours)
    for (const refund of ordered) await sendNow(harness, refund)
    await expectMadeOnce(
      payment,
      ordered.map(({ id }) => id),
      1_234,
    )
  })

  it('is not made again where there were two of one charge, which the processor tells in one sum', async () => {
    const { payment, ordered } = await restored(['30', '20'], 25)
    for (const refund of ordered) await sendNow(harness, refund)
    await expectMadeOnce(
      payment,
      ordered.map(({ id }) => id),
      5_000,
    )
  })

  it.each([1, 25])('is known as ours by whatever looks at its charge first, %i hours later', async (hours) => {
    const { payment, ordered } = await restored(['12.34'], hours)
    await look(payment)
    for (const refund of ordered) await sendNow(harness, refund)
    await expectMadeOnce(
      payment,
      ordered.map(({ id }) => id),
      1_234,
    )
  })

  it('is made where it was not before', async () => {
    const payment = await payByCard(harness, await cardPayment(harness))
    const refund = await orderRefund(harness, payment, { amount: '12.34' })
    await harness.advance(25 * 3_600)
    await sendNow(harness, refund)
    await expectMadeOnce(payment, [refund.id], 1_234)
  })
})

describe('a refund that somebody has made in the dashboard', () => {
  it('is not taken for one that was ordered long after it', async () => {
    const payment = await payByCard(harness, await cardPayment(harness))
    await harness.cardControl(`/charges/${chargeIdOf(payment)}/refund`, { amount: 1_000 })
    await harness.advance(3_600)
    const refund = await orderRefund(harness, payment, { amount: '10' })
    await look(payment)
    await sendNow(harness, refund)
    const refunds = await untilRefunded(harness, payment)
    expect(refunds.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    expect(await refundedAtProcessor(harness, payment)).toBe(2_000)
  })
})

describe.each(refundedRails(harness))('a refund by %s that was ordered after the backup', (rail, pay) => {
  /** Orders under an idempotency key, as a client does that has had no answer. */
  const order = ({ id }: Payment, key: string, amount = '12.34') => {
    const idempotency = { key, fingerprint: 'the same', onReplay: () => undefined }
    return refundPayment(harness.deps, { ...harness.tenant, idempotency }, { id, amount })
  }

  /** A refund that was made, and its database back at before its order. */
  async function lost(amount = '12.34') {
    const { payment, gone } = await pay()
    const restore = await backUp(harness)
    const before = await order(payment, payment.id, amount)
    await untilRefunded(harness, payment)
    await restore()
    await harness.query('delete from kernel.idempotency_key where key = $1', [payment.id])
    expect(await refundsOf(harness, payment)).toEqual([])
    return { payment, gone, before }
  }

  it('is made once where its client asks again with the same key', async () => {
    const { payment, gone, before } = await lost()
    expect((await order(payment, payment.id)).id).toBe(before.id)
    const refunds = await untilRefunded(harness, payment)
    expect(refunds).toMatchObject([{ id: before.id, status: 'succeeded' }])
    expect(await gone()).toEqual(['12.34'])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it.runIf(rail === 'pix')('is the one that its provider has shown before that', async () => {
    const { payment, gone, before } = await lost()
    const pix = chargeRailOf(harness.deps, 'pix')
    if (pix) await syncCharge(harness.deps, pix, await chargeOf(harness, payment))
    expect((await order(payment, payment.id)).id).toBe(before.id)
    expect(await untilRefunded(harness, payment)).toMatchObject([{ id: before.id, status: 'succeeded' }])
    expect(await gone()).toEqual(['12.34'])
  })

  it.runIf(rail === 'card')(
    'is the one that stands where what went back was booked before its client asks again',
    async () => {
      const { payment, gone, before } = await lost()
      const [hear, hearLate] = [await hearRefunds(harness), await hearRefunds(harness)]
      await look(payment)
      const [booked] = [...(await hear()).entries()]
      expect(booked).toEqual([expect.not.stringMatching(before.id), 'succeeded'])
      expect((await order(payment, payment.id)).id).toBe(before.id)
      const refunds = await untilRefunded(harness, payment)
      expect(refunds.map(({ status }) => status).sort()).toEqual(['failed', 'succeeded'])
      expect(refunds.find(({ id }) => id === before.id)).toMatchObject({ status: 'succeeded', amount: '12.34' })
      expect((await order(payment, payment.id)).id).toBe(before.id)
      expect(await hear()).toEqual(new Map(refunds.map(({ id, status }) => [id, status])))
      expect(await hearLate()).toEqual(await hear())
      const replaced = { id: booked?.[0] ?? '', sequence: 2 }
      expect(await findRefundAt(harness.deps, harness.tenant, replaced)).toMatchObject({ status: 'succeeded' })
      await harness.advance(25 * 3_600)
      await harness.goOn(900)
      expect(await gone()).toEqual(['12.34'])
      expect((await harness.deps.alerts.list()).filter(({ kind }) => kind.startsWith('return_'))).toEqual([])
      expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
    },
  )

  // Rounding shares it out otherwise than before, as what was booked counts as gone: the processor knows its id from another request.
  it.runIf(rail === 'card')(
    'is the one that stands where the processor knows its id shared out otherwise',
    async () => {
      const amount = '50'
      const { payment, gone, before } = await lost(amount)
      await look(payment)
      expect((await order(payment, payment.id, amount)).id).toBe(before.id)
      const refunds = await untilRefunded(harness, payment)
      expect(refunds.map(({ status }) => status).sort()).toEqual(['failed', 'succeeded'])
      expect(refunds.find(({ id }) => id === before.id)).toMatchObject({ status: 'succeeded' })
      await harness.advance(25 * 3_600)
      await harness.goOn(900)
      expect(await gone()).toEqual(['50.00'])
      expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
    },
  )

  // Later the processor's answer may be about a try of ours that is at work: what it proves it proves of the first one.
  it.runIf(rail === 'card').each(plansAt('charges.markRefundSent', 'payments.change'))(
    'is not made a second time where the process stops $side $atStep: it stands, or an operator is told',
    async (plan) => {
      const { payment, gone, before } = await lost('50')
      await look(payment)
      await order(payment, payment.id, '50')
      const mortal = crashingDeps(harness.deps, plan)
      await expect(sendNow({ ...harness, deps: mortal.deps }, before)).rejects.toThrow(Crash)
      await harness.goOn(30)
      await harness.goOn(900)
      const refund = (await untilRefunded(harness, payment)).find(({ id }) => id === before.id)
      const told = (await harness.deps.alerts.list()).filter(({ subject }) => subject === before.id)
      expect(told).toHaveLength(refund?.status === 'succeeded' ? 0 : 1)
      await harness.advance(25 * 3_600)
      await harness.goOn(900)
      expect(await gone()).toEqual(['50.00'])
    },
  )

  it.runIf(rail === 'card')('is not made where its key ordered less before, and an operator is told', async () => {
    const { payment, gone, before } = await lost('33.33')
    await look(payment)
    await order(payment, payment.id, '50')
    await harness.goOn(30)
    await harness.advance(25 * 3_600)
    const refunds = await untilRefunded(harness, payment)
    expect(refunds.find(({ id }) => id === before.id)).toMatchObject({ status: 'failed', amount: '50' })
    expect(await gone()).toEqual(['33.33'])
    const told = async () =>
      (await harness.deps.alerts.list()).filter(({ subject }) => [before.id, chargeIdOf(payment)].includes(subject))
    // What is known of it stays told, also once it has failed, and once another refund of the charge is made; that it may be ordered again is not.
    const inDoubt = [{ kind: 'return_in_doubt', details: expect.stringContaining(before.id) as string }]
    expect(await told()).toMatchObject(inDoubt)
    await order(payment, `${payment.id} other`, '1')
    await untilRefunded(harness, payment)
    expect(await told()).toMatchObject(inDoubt)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it.runIf(rail === 'card')('keeps its id where another one of the same amount is lost and ordered again', async () => {
    const { payment, gone, before } = await lost()
    await look(payment)
    const restore = await backUp(harness)
    const next = await order(payment, `${payment.id} next`)
    await untilRefunded(harness, payment)
    await restore()
    await harness.query('delete from kernel.idempotency_key where key = $1', [`${payment.id} next`])
    await look(payment)
    for (const { id, key } of [
      { id: before.id, key: payment.id },
      { id: next.id, key: `${payment.id} next` },
    ]) {
      expect((await order(payment, key)).id).toBe(id)
      await untilRefunded(harness, payment)
    }
    const refunds = await refundsOf(harness, payment)
    const done = refunds.filter(({ status }) => status === 'succeeded').map(({ id }) => id)
    expect(done.sort()).toEqual([before.id, next.id].sort())
    expect(await gone()).toEqual(['24.68'])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it.runIf(rail === 'card')('is made by another key of the same amount all the same', async () => {
    const { payment, gone } = await lost()
    await look(payment)
    await order(payment, `${payment.id} 2`)
    const refunds = await untilRefunded(harness, payment)
    expect(refunds.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    expect(await gone()).toEqual(['24.68'])
  })

  it('is another one by another key, and by the same key once that has lapsed', async () => {
    const { payment, gone } = await pay()
    const ids = [(await order(payment, payment.id)).id, (await order(payment, `${payment.id} 2`)).id]
    await harness.advance(25 * 3_600)
    ids.push((await order(payment, payment.id)).id)
    expect(new Set(ids).size).toBe(3)
    await untilRefunded(harness, payment)
    expect((await gone()).reduce((sum, amount) => sum + Number(amount), 0)).toBeCloseTo(37.02)
  })
})
