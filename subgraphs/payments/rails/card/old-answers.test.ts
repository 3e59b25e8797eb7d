import { describe, expect, it } from 'vitest'
import { RECEIVERS } from '../../../../test/harness/chains.js'
import { runDueJobs } from '../../../../test/harness/job-runner.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { until } from '../../../../test/harness/until.js'
import { cardPayment, chargeIdOf, countCallbacks, payByCard } from '../../fixtures/card-payments.js'
import { refundsOf } from '../../fixtures/refunds.js'
import { EVENT_ATTEMPTS } from '../../domain/charges/charge-jobs.js'
import { receiveCallback } from '../../domain/charges/receive-callback.js'
import { restoreLostJobs } from '../../domain/restore-lost-jobs.js'
import { paymentJobs } from '../../jobs.js'
import type { Payment } from '../../store/payment.entity.js'
import { readCardCallback } from './callback.js'

/** Without a node of the chain payouts wait. */
const harness = await startPaymentsHarness()
const toWallet = { splitPaymentConfig: [{ receiverWallet: RECEIVERS[0], receiverPercent: 100 }] }
const statesOf = async (payment: Payment) => (await harness.deps.payouts.findAll(payment)).map(({ state }) => state)

/** A payment by card whose receiver waits, and which the processor has not changed for a minute. */
async function waitingPayment(): Promise<Payment> {
  const payment = await payByCard(harness, await cardPayment(harness, toWallet), { transactionType: 'cardcrypto' })
  await until('the callbacks of the payment', async () => (await countCallbacks(harness, payment)) === 2)
  await harness.goOn(60)
  expect(await statesOf(payment)).toEqual(['waiting'])
  return payment
}

/** Works jobs off where the processor shows the payment's charge as it is now for some more answers. @returns what ends that */
async function keepAnswers({ id }: Payment, count: number) {
  let left = count
  const rails = await Promise.all(
    harness.deps.rails.map(async (rail) => {
      if (rail.kind !== 'charge' || rail.name !== 'card') return rail
      const old = await rail.adapter.retrieve(id)
      const retrieve: typeof rail.adapter.retrieve = (reference) => {
        if (reference !== id || left === 0) return rail.adapter.retrieve(reference)
        left -= 1
        return Promise.resolve(old)
      }
      return { ...rail, adapter: { ...rail.adapter, retrieve } }
    }),
  )
  return { runJobs: () => runDueJobs(harness.db.pool, paymentJobs({ ...harness.deps, rails })) }
}

/** The processor changes a charge and tells of it. */
async function tell(payment: Payment, what: 'chargeback' | 'refund', body: object = {}): Promise<void> {
  const count = await countCallbacks(harness, payment)
  await harness.cardControl(`/charges/${chargeIdOf(payment)}/${what}`, body)
  await until('the callback', async () => (await countCallbacks(harness, payment)) > count)
}

describe('a callback of the card processor that is there before what it tells of', () => {
  it('of a chargeback is looked into until the processor shows it', async () => {
    const payment = await waitingPayment()
    const { runJobs } = await keepAnswers(payment, 2)
    await tell(payment, 'chargeback')
    expect((await runJobs()).errors).toHaveLength(2)
    expect(await statesOf(payment)).toEqual(['cancelled'])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is so still once the processor was away for as long as it is tried in one go', async () => {
    const payment = await waitingPayment()
    const { runJobs } = await keepAnswers(payment, EVENT_ATTEMPTS + 1)
    await tell(payment, 'chargeback')
    expect((await runJobs()).errors).toHaveLength(EVENT_ATTEMPTS)
    await harness.advance(301)
    await restoreLostJobs(harness.deps)
    expect((await runJobs()).errors).toHaveLength(1)
    expect(await statesOf(payment)).toEqual(['cancelled'])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('of a second refund is not taken for the first', async () => {
    const payment = await waitingPayment()
    await tell(payment, 'refund', { amount: 1_000 })
    await harness.goOn(60)
    const { runJobs } = await keepAnswers(payment, 1)
    await tell(payment, 'refund', { amount: 2_000 })
    expect((await runJobs()).errors).toHaveLength(1)
    expect((await refundsOf(harness, payment)).map(({ amount }) => Number(amount))).toEqual([10, 20])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('that tells of what never comes is given up after a day, and takes nothing back', async () => {
    const payment = await waitingPayment()
    const data = { id: chargeIdOf(payment), updated_at: '2999-01-01T00:00:00Z', order: { code: payment.id } }
    const body = JSON.stringify({ id: 'hook_never', type: 'charge.chargedback', data })
    const { callbackUser, callbackPassword } = harness.railSettings.card
    const authorization = `Basic ${Buffer.from(`${callbackUser}:${callbackPassword}`).toString('base64')}`
    expect(await receiveCallback(harness.deps, { rail: 'card', path: '', authorization, body })).toBe(1)
    expect((await harness.runJobs()).errors).toHaveLength(EVENT_ATTEMPTS)
    await harness.advance(24 * 3_600 + 1)
    await restoreLostJobs(harness.deps)
    expect((await harness.runJobs()).errors).toEqual([])
    const [event] = await harness.query(
      `select processed_at is not null as done from payments.provider_event where event_key = 'hook_never'`,
    )
    expect(event).toEqual({ done: true })
    expect(await statesOf(payment)).toEqual(['waiting'])
  })
})

describe('what is read of a callback of the card processor', () => {
  const settings = { callbackUser: 'user', callbackPassword: 'word' }
  const changedAtOf = (type: string, updated_at?: unknown) => {
    const body = JSON.stringify({ id: 'hook_1', type, created_at: '2026-01-01T00:00:09Z', data: { updated_at } })
    const authorization = `Basic ${Buffer.from('user:word').toString('base64')}`
    return readCardCallback({ path: '', authorization, body }, settings)?.[0]?.expected?.changedAt
  }

  it('is when the charge was changed, of money that went back alone', () => {
    for (const type of ['charge.chargedback', 'charge.refunded', 'charge.partial_canceled'])
      expect(changedAtOf(type, '2026-01-01T00:00:07.1234567Z')).toBe('2026-01-01T00:00:07.123Z')
    expect(changedAtOf('charge.paid', '2026-01-01T00:00:07Z')).toBeUndefined()
    for (const wrong of [undefined, null, 7, '', 'soon', {}])
      expect(changedAtOf('charge.refunded', wrong)).toBeUndefined()
  })
})
