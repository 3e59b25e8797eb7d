import { describe, expect, it } from 'vitest'
import { CARDS } from '../../../../sandbox/demo/card-payer.js'
import { createTransaction } from '../../domain/create-transaction.js'
import { tokenizeCard } from '../../domain/charges/tokenize-card.js'
import { cardInput, cardPayment, cardData, chargeIdOf, impatientCardRail } from '../../fixtures/card-payments.js'
import { runDueJobs } from '../../../../test/harness/job-runner.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import { returnsOf } from '../../fixtures/rows.js'
import { paymentJobs } from '../../jobs.js'
import type { Payment } from '../../store/payment.entity.js'
import { createCardClient, type CardClient } from './client.js'
import { orderBody } from './order-request.js'
import { outcomeOf } from '../../../../test/harness/refusal.js'

/** So short that a processor that is slow is one that does not answer. */
const TIMEOUT_MS = 250
const FAULTS = [
  { mode: 'down' },
  { mode: 'error' },
  { mode: 'drop-answer' },
  { mode: 'slow', ms: TIMEOUT_MS * 2 },
] as const

const harness = await startPaymentsHarness()
const deps = { ...harness.deps, rails: [impatientCardRail(harness, TIMEOUT_MS)] }

const fault = (body: object) => harness.cardControl('/faults', body)
const heal = () => fault({ mode: 'ok' })
const pay = (payment: Payment) => createTransaction(deps, harness.tenant, cardInput(payment))
const runJobs = () => runDueJobs(harness.db.pool, paymentJobs(deps))

function clientOfProcessor(): CardClient {
  const settings = harness.railSettings.card
  return createCardClient({ settings, timeoutMs: 5_000, log: harness.options.log })
}

/** The charges of a payment at the processor that hold the payer's money, whatever became of its attempts. */
async function heldCharges({ id }: Payment): Promise<number> {
  let count = 0
  for (const code of [id, `${id}-2`, `${id}-3`]) {
    const { data } = (await clientOfProcessor().findOrders(code)) as { data: { charges: { status: string }[] }[] }
    count += data.filter(({ charges }) => charges[0]?.status === 'paid').length
  }
  return count
}

/** The request for a payment's first charge gets to the processor at last, which takes the money. */
async function arriveLate(payment: Payment): Promise<void> {
  const order = { reference: payment.id, amount: '100', lifeSeconds: 60, input: cardInput(payment) }
  await clientOfProcessor().createOrder(orderBody(order), payment.id)
  expect(harness.card.countOrders(payment.id)).toBe(1)
}

describe('a process that is frozen after it has written an attempt down', () => {
  it('charges nobody when it goes on: another one may have ended the attempt, and charged the payer again', async () => {
    const payment = await cardPayment(harness)
    const payments = {
      ...deps.payments,
      change: async (...given: Parameters<typeof deps.payments.change>) => {
        const changed = await deps.payments.change(...given)
        harness.clock.advance(11_000)
        return changed
      },
    }
    const thawed = createTransaction({ ...deps, payments }, harness.tenant, cardInput(payment))
    expect(await outcomeOf(thawed)).toBe('provider_unavailable')
    expect(harness.card.countOrders(payment.id)).toBe(0)
    await harness.advance(60)
    await runJobs()
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'error' })
    expect((await pay(await presentOf(harness, payment))).status).toBe('success')
    expect(await heldCharges(payment)).toBe(1)
  })
})

describe.each(FAULTS)('a card processor that fails: $mode', (failure) => {
  it.each([1, 2, 3, 4])('holds the money of one charge in the end, where %i calls fail', async (times) => {
    const payment = await cardPayment(harness)
    await fault({ ...failure, times })
    const code = await outcomeOf(pay(payment))
    expect(['done', 'provider_unavailable', 'provider_timeout']).toContain(code)
    await heal()
    await harness.advance(60)
    await runJobs()
    const present = await presentOf(harness, payment)
    expect(['success', 'error']).toContain(present.status)
    if (present.status === 'error') expect((await pay(present)).status).toBe('success')
    await runJobs()
    expect(await heldCharges(payment)).toBe(1)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('never shows a card as charged where a token could not be had', async () => {
    await fault({ ...failure, times: 1 })
    const card = cardData(CARDS.paid).card
    if (!card) throw new Error('there is no card')
    const code = await outcomeOf(tokenizeCard(deps, harness.tenant, { card }))
    await heal()
    expect(code).toBe(failure.mode === 'slow' ? 'provider_timeout' : 'provider_unavailable')
  })

  it('loses no news, where the question that they raise fails', async () => {
    const payment = await createTransaction(
      deps,
      harness.tenant,
      cardInput(await cardPayment(harness), {}, CARDS.processing),
    )
    expect(payment.status).toBe('pending')
    await harness.cardControl(`/charges/${chargeIdOf(payment)}/settle`)
    await fault({ ...failure, times: 3 })
    await runJobs()
    await heal()
    await harness.advance(60)
    await runJobs()
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
  })
})

describe('a charge that shows up when nobody waits for it any more', () => {
  it('is refunded, whole and once, and the payment can be paid by another', async () => {
    const payment = await cardPayment(harness)
    await fault({ mode: 'slow', ms: TIMEOUT_MS * 2, times: 1 })
    expect(await outcomeOf(pay(payment))).toBe('provider_timeout')
    await heal()
    // The processor has not heard of it by then, as far as it says.
    await harness.advance(40)
    await runJobs()
    expect(await presentOf(harness, payment)).toMatchObject({
      status: 'error',
      dataError: { code: 'provider_unavailable' },
    })
    await arriveLate(payment)
    expect((await pay(await presentOf(harness, payment))).status).toBe('success')
    await harness.advance(120)
    await runJobs()
    await harness.advance(120)
    await runJobs()
    expect(await heldCharges(payment)).toBe(1)
    expect(await returnsOf(harness, payment)).toMatchObject([{ status: 'done', reason: 'paid_twice' }])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})

describe('a processor that stays away', () => {
  it('leaves the payment pending until it says what it has, and nobody can charge it twice meanwhile', async () => {
    const payment = await cardPayment(harness)
    await fault({ mode: 'drop-answer' })
    expect(await outcomeOf(pay(payment))).toBe('provider_unavailable')
    expect(await outcomeOf(pay(await presentOf(harness, payment)))).toBe('provider_unavailable')
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    await heal()
    // Whoever asks again finds the charge of before.
    expect(await outcomeOf(pay(await presentOf(harness, payment)))).toBe('payment_already_processed')
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(harness.card.countOrders(payment.id)).toBe(1)
  })
})

const under = (key: string, fingerprint: string) => ({
  ...harness.tenant,
  idempotency: { key, fingerprint, onReplay: () => undefined },
})

describe('a request that timed out', () => {
  it('is answered when it comes again under its key, and another one under that key is refused', async () => {
    const payment = await cardPayment(harness)
    const other = cardInput(payment, { payerEmail: 'other@example.com' }, CARDS.processing)
    await fault({ mode: 'slow', ms: TIMEOUT_MS * 2, times: 1 })
    expect(await outcomeOf(createTransaction(deps, under('one key', 'first'), cardInput(payment)))).toBe(
      'provider_timeout',
    )
    await heal()
    await arriveLate(payment)
    expect(await outcomeOf(createTransaction(deps, under('one key', 'second'), other))).toBe('idempotency_key_reused')
    const again = await createTransaction(deps, under('one key', 'first'), cardInput(payment))
    expect(again).toMatchObject({ status: 'success', payerEmail: 'ana@example.com' })
    expect(harness.card.countOrders(payment.id)).toBe(1)
  })
})

describe('a request that comes again a day later under its key', () => {
  const DAY_SECONDS = 24 * 3_600
  const ask = (payment: Payment, number: string) =>
    createTransaction(deps, under(`of ${payment.id}`, 'the same'), cardInput(payment, {}, number))

  it('is a new one: what was refused is charged again', async () => {
    const payment = await cardPayment(harness)
    const first = await ask(payment, CARDS.refused)
    await harness.advance(DAY_SECONDS - 60)
    expect(await ask(payment, CARDS.refused)).toMatchObject({ status: 'reproved', sequence: first.sequence })
    expect(harness.card.countOrders(`${payment.id}-2`)).toBe(0)
    await harness.advance(120)
    expect((await ask(payment, CARDS.refused)).sequence).toBeGreaterThan(first.sequence)
    expect(harness.card.countOrders(`${payment.id}-2`)).toBe(1)
  })

  it('charges nothing beside what has no outcome yet', async () => {
    const payment = await cardPayment(harness)
    expect(await ask(payment, CARDS.processing)).toMatchObject({ status: 'pending' })
    await harness.advance(DAY_SECONDS + 60)
    await fault({ mode: 'error' })
    expect(await outcomeOf(ask(payment, CARDS.processing))).toBe('provider_unavailable')
    await heal()
    expect(await outcomeOf(ask(payment, CARDS.processing))).toBe('payment_already_processed')
    expect([harness.card.countOrders(payment.id), harness.card.countOrders(`${payment.id}-2`)]).toEqual([1, 0])
  })
})
