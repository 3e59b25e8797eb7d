import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createTransaction } from '../../domain/create-transaction.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { type PaymentsHarness, railDepsOf, startPaymentsHarness } from '../../../../test/harness/payments.js'
import { chargeOf, payAndProcess, payCharge, pixInput, presentOf } from '../../fixtures/pix-payments.js'
import { returnsOf } from '../../fixtures/rows.js'
import { until } from '../../../../test/harness/until.js'
import { runDueJobs } from '../../../../test/harness/job-runner.js'
import { paymentJobs } from '../../jobs.js'
import type { Payment } from '../../store/payment.entity.js'
import { createPixClient } from './client.js'
import { pixRail } from './rail.js'
import { txidOf } from './txid.js'
import { outcomeOf } from '../../../../test/harness/refusal.js'

/** So short that a provider that is slow is one that does not answer. */
const TIMEOUT_MS = 300
const FAULTS = [
  { mode: 'down' },
  { mode: 'error' },
  { mode: 'drop-answer' },
  { mode: 'slow', ms: TIMEOUT_MS * 1.5 },
] as const

const harness = await startPaymentsHarness()

/** A process that has just started: it has no token yet. */
function freshDeps(settings = harness.railSettings.pix): PaymentsHarness['deps'] {
  const rail = pixRail(settings, TIMEOUT_MS)({ ...railDepsOf(harness), deriveKey: () => randomBytes(32) })
  return { ...harness.deps, rails: [rail] }
}

const fault = (body: object) => harness.pixControl('/faults', body)
const heal = () => fault({ mode: 'ok' })
const charge = (deps: PaymentsHarness['deps'], payment: Payment) =>
  createTransaction(deps, harness.tenant, pixInput(payment))

/** How many charges the provider has of a payment that could be paid. */
async function payableCharges({ id }: Payment): Promise<number> {
  const settings = harness.railSettings.pix
  const client = createPixClient({ settings, clock: harness.clock, log: harness.options.log, timeoutMs: 5_000 })
  let count = 0
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    const cob = (await client.getCob(txidOf(id, attempt)).catch(() => undefined)) as { status?: string } | undefined
    if (cob?.status === 'ATIVA') count += 1
  }
  return count
}

describe.each(FAULTS)('a Pix provider that fails: $mode', (failure) => {
  it.each([1, 2, 3, 4])('makes one charge all the same, where %i calls from the token on fail', async (times) => {
    const payment = await checkoutPayment(harness)
    await fault({ ...failure, times })
    const code = await outcomeOf(charge(freshDeps(), payment))
    expect(['done', 'provider_unavailable', 'provider_timeout']).toContain(code)
    await heal()
    const charged = await charge(freshDeps(), payment)
    expect(charged.status).toBe('pending')
    expect(await payableCharges(payment)).toBe(1)
  })

  it.each([1, 2, 3])('makes one charge all the same, where %i calls from the charge on fail', async (times) => {
    const deps = freshDeps()
    await charge(deps, await checkoutPayment(harness))
    const payment = await checkoutPayment(harness)
    await fault({ ...failure, times })
    const code = await outcomeOf(charge(deps, payment))
    expect(['done', 'provider_unavailable', 'provider_timeout']).toContain(code)
    await heal()
    expect((await charge(deps, payment)).status).toBe('pending')
    expect(await payableCharges(payment)).toBe(1)
  })

  it('loses no payment, where the question about it fails', async () => {
    const deps = freshDeps()
    const payment = await charge(deps, await checkoutPayment(harness))
    const { reference } = await chargeOf(harness, payment)
    await payCharge(harness, reference)
    await fault({ ...failure, times: 3 })
    // The job fails, and comes again.
    await runDueJobs(harness.db.pool, paymentJobs(deps))
    await heal()
    await harness.advance(30)
    await runDueJobs(harness.db.pool, paymentJobs(deps))
    expect(await harness.deps.payouts.findAll(payment)).toHaveLength(1)
  })

  it('gives money back once, where the order to do so fails', async () => {
    const deps = freshDeps()
    const payment = await charge(deps, await checkoutPayment(harness))
    const { reference } = await chargeOf(harness, payment)
    await payCharge(harness, reference, { valor: '7.00' })
    // Only the news is processed; the return that follows from it meets the failure.
    const news = paymentJobs(deps).filter(({ name }) => name === 'process-provider-event')
    await runDueJobs(harness.db.pool, news)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', dataError: { code: 'amount_mismatch' } })
    await fault({ ...failure, times: 2 })
    await runDueJobs(harness.db.pool, paymentJobs(deps))
    await heal()
    await until('the money is back', async () => {
      await harness.advance(30)
      await runDueJobs(harness.db.pool, paymentJobs(deps))
      return (await returnsOf(harness, payment)).some(({ status }) => status === 'done')
    })
    const settings = harness.railSettings.pix
    const client = createPixClient({ settings, clock: harness.clock, log: harness.options.log, timeoutMs: 5_000 })
    const cob = (await client.getCob(reference)) as { pix: { devolucoes: unknown[] }[] }
    expect(cob.pix[0]?.devolucoes).toHaveLength(1)
  })
})

describe('a Pix provider that is well', () => {
  it('is asked for a new token when the one at hand is not taken any more', async () => {
    const deps = freshDeps()
    await charge(deps, await checkoutPayment(harness))
    await harness.advance(400)
    const payment = await charge(deps, await checkoutPayment(harness))
    await payAndProcess(harness, (await chargeOf(harness, payment)).reference)
    expect(await harness.deps.payouts.findAll(payment)).toHaveLength(1)
  })
})

describe('a Pix provider that refuses a charge', () => {
  it('leaves the payment reproved, and nothing of the attempt before it in the record', async () => {
    const payment = await charge(harness.deps, await checkoutPayment(harness))
    await harness.pixControl(`/cob/${(await chargeOf(harness, payment)).reference}/expire`)
    await harness.goOn(30)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', dataError: { code: 'charge_expired' } })
    // The key is one that the provider's account does not have.
    const refusing = freshDeps({ ...harness.railSettings.pix, key: randomUUID() })
    expect(await outcomeOf(charge(refusing, payment))).toBe('provider_unavailable')
    expect(await presentOf(harness, payment)).toMatchObject({
      status: 'reproved',
      transactionType: 'pixcrypto',
      dataError: null,
      globalPaymentData: null,
      unsignedTransaction: null,
      payerTokenSymbol: null,
      chargeId: null,
    })
    expect((await charge(freshDeps(), payment)).status).toBe('pending')
  })
})
