import { describe, expect, it } from 'vitest'
import { ProviderError } from '../../../../kernel/provider-error.js'
import { runDueJobs } from '../../../../test/harness/job-runner.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { cardPayment, chargeIdOf, payByCard } from '../../fixtures/card-payments.js'
import { Crash, crashingDeps, plansAt } from '../../fixtures/crashing-deps.js'
import { chargeOf } from '../../fixtures/pix-payments.js'
import { orderRefund, refundedAtProcessor, refundsOf, sendNow, untilRefunded } from '../../fixtures/refunds.js'
import { backUp } from '../../fixtures/restored-database.js'
import { paymentJobs } from '../../jobs.js'
import type { PaymentRefund } from '../../model/refund.js'
import { chargeRailOf } from '../../rails/find-rail.js'
import type { ProcessorAdapter } from '../../rails/processor-adapter.js'
import type { Payment } from '../../store/payment.entity.js'
import { syncCharge } from '../charges/sync-charge.js'
import { refundPayment } from './refund-payment.js'

/** What an operator is told of refunds by card that may have been made before. */
const harness = await startPaymentsHarness()

type Kind = 'auth' | 'timeout' | 'declined' | 'conflict'
const failure = (kind: Kind) => new ProviderError({ provider: 'test', kind, retryable: false, message: `a ${kind}` })

/** The rails, of which the processor of cards does some things otherwise. */
const withCard = (changes: Partial<ProcessorAdapter>) =>
  harness.deps.rails.map((rail) =>
    rail.kind === 'charge' && rail.name === 'card' ? { ...rail, adapter: { ...rail.adapter, ...changes } } : rail,
  )
const refusing = (kind: Kind) => withCard({ refund: () => Promise.reject(failure(kind)) })

/** Works off what is due some seconds later. */
async function goOn(rails: ReturnType<typeof withCard>, seconds: number): Promise<void> {
  await harness.advance(seconds)
  await runDueJobs(harness.db.pool, paymentJobs({ ...harness.deps, rails }))
}

/** Orders under an idempotency key, as a client does that has had no answer. */
const order = ({ id }: Payment, key: string, amount: string) => {
  const idempotency = { key: `${id} ${key}`, fingerprint: 'the same', onReplay: () => undefined }
  return refundPayment(harness.deps, { ...harness.tenant, idempotency }, { id, amount })
}

/** A callback of before, or a list, has the charge looked at. */
async function look(payment: Payment): Promise<void> {
  const rail = chargeRailOf(harness.deps, 'card')
  if (rail) await syncCharge(harness.deps, rail, await chargeOf(harness, payment))
}

/** A database that goes back to where it is now, and in which keys order anew what they have ordered since. */
async function restorePoint({ id }: Payment) {
  const restore = await backUp(harness)
  return async () => {
    await restore()
    await harness.query('delete from kernel.idempotency_key where key like $1', [`${id} %`])
  }
}

/** Refunds of 30 and 20 that were made, lost with the database, and booked as one that somebody has made at the processor. */
async function lostTwo() {
  const payment = await payByCard(harness, await cardPayment(harness))
  const restore = await restorePoint(payment)
  const [a, b] = [await order(payment, 'a', '30'), await order(payment, 'b', '20')]
  await untilRefunded(harness, payment)
  await restore()
  await look(payment)
  const [booked] = await refundsOf(harness, payment)
  expect(booked).toMatchObject({ amount: '50', status: 'succeeded' })
  return { payment, a, b, booked: booked?.id ?? '' }
}

/** A refund that was made, lost with the database, booked as one that somebody has made at the processor, and ordered again. */
async function orderedAgain() {
  const payment = await payByCard(harness, await cardPayment(harness))
  const restore = await restorePoint(payment)
  const refund = await order(payment, 'a', '12.34')
  await untilRefunded(harness, payment)
  await restore()
  await look(payment)
  await order(payment, 'a', '12.34')
  return { payment, refund }
}

const toldAbout = async (about: string) =>
  (await harness.deps.alerts.list())
    .filter(({ subject }) => subject === about)
    .map(({ kind, details }) => [kind, details])
const toldOf = ({ id }: PaymentRefund) => toldAbout(id)
const statusOf = async (payment: Payment, refund: PaymentRefund) =>
  (await refundsOf(harness, payment)).find(({ id }) => id === refund.id)?.status

describe('a refund that was lost, booked with others in one sum, and is ordered again', () => {
  const wentBefore = (payment: Payment, { id, amount }: PaymentRefund, booked: string) => [
    [
      'return_in_doubt',
      `${amount}.00 of ${chargeIdOf(payment)} went back before, as the refund ${booked}: ${id} is not made again`,
    ],
  ]

  it('fails, and what an operator is told of it stays, though it is ordered by another key and made', async () => {
    const { payment, a, booked } = await lostTwo()
    await order(payment, 'a', '30')
    await untilRefunded(harness, payment)
    expect(await statusOf(payment, a)).toBe('failed')
    expect(await toldOf(a)).toEqual(wentBefore(payment, a, booked))
    await harness.advance(60)
    await order(payment, 'a once more', '30')
    await untilRefunded(harness, payment)
    expect(await refundedAtProcessor(harness, payment)).toBe(8_000)
    expect(await toldOf(a)).toEqual(wentBefore(payment, a, booked))
  })

  it('is told of by itself where another one is so within ten seconds', async () => {
    const { payment, a, b, booked } = await lostTwo()
    await order(payment, 'a', '30')
    await order(payment, 'b', '20')
    await untilRefunded(harness, payment)
    for (const refund of [a, b]) expect(await toldOf(refund)).toEqual(wentBefore(payment, refund, booked))
    expect(await refundedAtProcessor(harness, payment)).toBe(5_000)
  })

  it.each(plansAt('alerts.raiseOnce', 'payments.change'))(
    'does not fail without an operator being told why where the process dies $side $atStep',
    async (plan) => {
      const { payment, a, booked } = await lostTwo()
      await order(payment, 'a', '30')
      const mortal = crashingDeps(harness.deps, plan)
      await expect(sendNow({ ...harness, deps: mortal.deps }, a)).rejects.toThrow(Crash)
      await harness.goOn(10)
      await harness.goOn(900)
      expect(await statusOf(payment, a)).toBe('failed')
      expect(await toldOf(a)).toEqual(wentBefore(payment, a, booked))
    },
  )
})

describe('a refund that the processor has answered with a conflict', () => {
  const inDoubt = ({ id }: PaymentRefund) => [
    [
      'return_in_doubt',
      `card may know ${id} from another request, and nobody knows whether 12.34 went back: it is not sent again`,
    ],
  ]

  it.each(plansAt('alerts.raiseOnce', 'charges.markRefundRefused'))(
    'does not fail without an operator being told where the process dies $side $atStep',
    async (plan) => {
      const payment = await payByCard(harness, await cardPayment(harness))
      const refund = await orderRefund(harness, payment, { amount: '12.34' })
      const rails = refusing('conflict')
      const mortal = crashingDeps({ ...harness.deps, rails }, plan)
      await expect(sendNow({ ...harness, deps: mortal.deps }, refund)).rejects.toThrow(Crash)
      for (const seconds of [10, 300, 300, 300]) await goOn(rails, seconds)
      expect(await statusOf(payment, refund)).toBe('failed')
      expect(await toldOf(refund)).toEqual(inDoubt(refund))
    },
  )

  it('is told of where another one of its charge was refused just before', async () => {
    const payment = await payByCard(harness, await cardPayment(harness))
    await orderRefund(harness, payment, { amount: '10' })
    await goOn(refusing('declined'), 1)
    const refund = await orderRefund(harness, payment, { amount: '12.34' })
    await goOn(refusing('conflict'), 1)
    expect(await toldOf(refund)).toEqual(inDoubt(refund))
  })

  it('stays told while it is pending, though an earlier one of its charge is found made', async () => {
    const payment = await payByCard(harness, await cardPayment(harness))
    const first = await orderRefund(harness, payment, { amount: '10' })
    const away = withCard({
      refund: () => Promise.reject(failure('timeout')),
      retrieve: () => Promise.reject(failure('timeout')),
    })
    for (let tries = 0; tries < 12; tries += 1) await goOn(away, 300)
    const { id: providerRefundId, createdAt: orderedAt } = first
    const made = { receiptId: chargeIdOf(payment), providerRefundId, amount: '10', orderedAt, doneBefore: [] }
    await chargeRailOf(harness.deps, 'card')?.adapter.refund(made)
    await look(payment)
    const refund = await orderRefund(harness, payment, { amount: '12.34' })
    const rails = refusing('conflict')
    await goOn(rails, 1)
    await sendNow(harness, first)
    expect(await statusOf(payment, refund)).toBe('pending')
    expect(await toldOf(refund)).toEqual(inDoubt(refund))
  })

  it('is in doubt no more once it is found under another id', async () => {
    const { payment, refund } = await orderedAgain()
    const plan = { atStep: 'charges.markRefundRefused', side: 'before' } as const
    const mortal = crashingDeps({ ...harness.deps, rails: refusing('conflict') }, plan)
    await expect(sendNow({ ...harness, deps: mortal.deps }, refund)).rejects.toThrow(Crash)
    expect(await toldOf(refund)).toEqual(inDoubt(refund))
    await untilRefunded(harness, payment)
    expect(await statusOf(payment, refund)).toBe('succeeded')
    expect(await toldOf(refund)).toEqual([])
  })
})

describe('a refund that the processor answers as made before', () => {
  it('is taken for a lost one only where the answer is older than its order', async () => {
    const payment = await payByCard(harness, await cardPayment(harness))
    const order = { receiptId: chargeIdOf(payment), providerRefundId: `${payment.id} r`, amount: '12.34' }
    const refund = async (doneBefore: string[], orderedAt: Date) =>
      (await chargeRailOf(harness.deps, 'card')?.adapter.refund({ ...order, orderedAt, doneBefore }))?.isOfLost
    const orderedAt = harness.deps.clock.now()
    expect(await refund([], orderedAt)).toBe(false)
    expect(await refund(['12.34'], orderedAt)).toBe(false)
    await harness.advance(60)
    expect(await refund(['12.34'], harness.deps.clock.now())).toBe(true)
  })

  it.each(['12.34', '5'])(
    'is not sent again where another one of %s was named what was made, and an operator is told',
    async (amount) => {
      const payment = await payByCard(harness, await cardPayment(harness))
      const refused = await orderRefund(harness, payment, { amount })
      const made = await order(payment, 'b', '12.34')
      const restore = await restorePoint(payment)
      await sendNow({ ...harness, deps: { ...harness.deps, rails: refusing('declined') } }, refused)
      await untilRefunded(harness, payment)
      expect(await refundedAtProcessor(harness, payment)).toBe(1_234)
      await restore()
      await look(payment)
      await sendNow(harness, made)
      for (const seconds of [900, 900, 25 * 3_600, 900, 900]) await harness.goOn(seconds)
      expect(await refundedAtProcessor(harness, payment)).toBe(1_234)
      expect(await statusOf(payment, made)).toBe('failed')
      expect(await toldOf(made)).toEqual([
        ['return_in_doubt', expect.stringContaining(`card answers that ${made.id} was made before`) as string],
      ])
    },
  )

  it('is not sent again where nothing is booked that it may be, and an operator is told', async () => {
    const payment = await payByCard(harness, await cardPayment(harness))
    await orderRefund(harness, payment, { amount: '12.34' })
    const restore = await restorePoint(payment)
    await goOn(refusing('declined'), 1)
    const lost = await order(payment, 'a', '12.34')
    await untilRefunded(harness, payment)
    await restore()
    // What is open again has the name of what was made.
    await look(payment)
    await order(payment, 'a', '12.34')
    await harness.goOn(10)
    const told = [
      ['return_in_doubt', expect.stringContaining(`card answers that ${lost.id} was made before`) as string],
    ]
    expect(await toldOf(lost)).toEqual(told)
    await harness.goOn(900)
    await harness.advance(25 * 3_600)
    await harness.goOn(900)
    await harness.goOn(900)
    expect(await refundedAtProcessor(harness, payment)).toBe(1_234)
    expect(await statusOf(payment, lost)).toBe('failed')
    expect(await toldOf(lost)).toEqual(told)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})

describe('a refund whose tries are refused to us for a while', () => {
  const waiting = [['return_refused', expect.stringContaining('a auth') as string]]

  it('is told no more once one that was booked stands for it', async () => {
    const { payment, refund } = await orderedAgain()
    await goOn(refusing('auth'), 1)
    expect(await toldAbout(chargeIdOf(payment))).toEqual(waiting)
    await harness.goOn(900)
    expect(await statusOf(payment, refund)).toBe('succeeded')
    expect(await toldAbout(chargeIdOf(payment))).toEqual([])
  })

  it('is told as refused once it is', async () => {
    const payment = await payByCard(harness, await cardPayment(harness))
    const refund = await orderRefund(harness, payment, { amount: '12.34' })
    await goOn(refusing('auth'), 1)
    expect(await toldAbout(chargeIdOf(payment))).toEqual(waiting)
    for (const seconds of [900, 900, 900]) await goOn(refusing('declined'), seconds)
    expect(await statusOf(payment, refund)).toBe('failed')
    expect(await toldAbout(chargeIdOf(payment))).toEqual([
      ['return_refused', `the refund ${refund.id} of 12.34 BRL was refused`],
    ])
  })
})
