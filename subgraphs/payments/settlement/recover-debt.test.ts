import { afterEach, describe, expect, it } from 'vitest'
import { fundRefunds as fundBalance } from '../cli/fund-refunds.js'
import { RECEIVERS } from '../../../test/harness/chains.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { reconcileAll } from '../domain/reconciliation/reconcile-jobs.js'
import { balanceIn } from '../fixtures/books.js'
import { ledger } from '../fixtures/run-ledger.js'
import { paidPayment, untilToldOf } from '../fixtures/pix-payments.js'
import { fundRefunds, orderRefund, refundsOf } from '../fixtures/refunds.js'
import { loseJobs, setFirstPayout } from '../fixtures/rows.js'
import { move, recoveryEntry } from '../model/ledger-entries.js'
import type { Payment } from '../store/payment.entity.js'

const harness = await startPaymentsHarness()
afterEach(async () => {
  expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
})

const splitPaymentConfig = [
  { receiverWallet: RECEIVERS[0], receiverPercent: 60 },
  { receiverWallet: RECEIVERS[1], receiverPercent: 40 },
]

/** What the tenant is owed, and what it has set aside, in reais. */
async function balances(): Promise<{ tenant: number; refunds: number }> {
  const of = async (account: string) => -Number(await balanceIn(harness.deps, account, 'BRL')) || 0
  return { tenant: await of('tenant'), refunds: await of('tenant:refunds') }
}

/** A payment of 100.00 of which the receiver of 60.00 may have been paid. */
async function paid(): Promise<{ id: string; payment: Payment; txid: string; endToEndId: string }> {
  const { payment, txid, endToEndId } = await paidPayment(harness, { splitPaymentConfig })
  await setFirstPayout(harness, payment, 'sending')
  return { id: payment.id, payment, txid, endToEndId }
}

async function takenBack({ endToEndId }: { endToEndId: string }, body: object = {}): Promise<void> {
  await harness.pixControl(`/pix/${endToEndId}/med`, body)
  await untilToldOf(harness, endToEndId, 2)
  await harness.runJobs()
}

const transfer = (command: string, amount: string, reference: string, ...more: string[]) =>
  ledger(harness, command, '--tenant', harness.tenant.id, '--amount', amount, '--reference', reference, ...more)
const fund = (amount: string, reference: string) =>
  fundRefunds(harness.databaseUrl, harness.tenant.id, amount, reference)

/** Sets something aside, and takes no debt from it yet. */
const setAside = (amount: string, reference: string) =>
  fundBalance(harness.db, harness.clock, { tenantId: harness.tenant.id, amount, currency: 'BRL', reference })

/** What was taken for a payment's debt. */
async function recoveredOf(paymentId: string): Promise<unknown> {
  const [row] = await harness.query(
    `select trim_scale(sum(debit))::text as sum from payments.ledger_line
      where payment_id = $1 and entry like 'recovered:%' and account = 'tenant:refunds'`,
    [paymentId],
  )
  return row?.['sum']
}

/** A thousand debts of a tenant that has set nothing aside, newer than all others. */
const POOR = [
  `insert into payments.receipt (tenant_id, rail, id, charge_id, payment_id, currency, amount, received_at, outcome, created_at)
    select 'poor', 'pix', 'poor-' || n, 'c' || n, 'p' || n, 'BRL', '1', now(), 'accepted', '2100-01-01'
    from generate_series(1, 1000) as n`,
  `insert into payments.receipt_return
      (tenant_id, rail, receipt_id, id, amount, status, forced, reason, created_at, origin)
    select 'poor', 'pix', 'poor-' || n, 'r', '1', 'done', true, 'chargeback', '2100-01-01', 'provider'
    from generate_series(1, 1000) as n`,
  `insert into payments.ledger_line (tenant_id, payment_id, entry, line, account, currency, debit, credit, created_at)
    select 'poor', 'p' || n, entry || 'poor-' || n || suffix, line, account, 'BRL', debit, 1 - debit, '2100-01-01'
    from generate_series(1, 1000) as n, (values ('receipt:', '', 0, 'provider:pix', 1), ('receipt:', '', 1, 'tenant', 0),
      ('conversion:', '', 0, 'tenant', 1), ('conversion:', '', 1, 'treasury:exchange', 0),
      ('return:', ':r', 0, 'tenant', 1), ('return:', ':r', 1, 'provider:pix', 0)) as of (entry, suffix, line, account, debit)`,
]

describe('what a dispute leaves a tenant owing', () => {
  it('is taken from what it has set aside for refunds, as far as that goes, and the rest once it sets more aside', async () => {
    const payment = await paid()
    await fund('25', payment.id)
    await takenBack(payment)
    expect(await balances()).toEqual({ tenant: -35, refunds: 0 })
    await fund('5', 'five')
    expect(await balances()).toEqual({ tenant: -30, refunds: 0 })
    const tooMuch = await transfer('settle-debt', '30.01', 'bank-1', '--payment', payment.id)
    expect(tooMuch.text).toContain('--amount is more than the payment has left the tenant owing: 30 BRL.')
    expect((await transfer('settle-debt', '30', 'bank-1', '--payment', payment.id)).code).toBe(0)
    expect((await transfer('settle-debt', '30', 'bank-1', '--payment', payment.id)).code).toBe(1)
    expect((await transfer('settle-debt', '30', 'bank-2', '--payment', 'unknown')).code).toBe(2)
    expect(await balances()).toEqual({ tenant: 0, refunds: 0 })
    await fund('20', 'twenty')
    expect(await balances()).toEqual({ tenant: 0, refunds: 20 })
    expect((await transfer('release-reserve', '20', 'back')).code).toBe(0)
  })

  it('is paid by a bank transfer that counts once, whatever it is booked for', async () => {
    const [one, two] = [await paid(), await paid()]
    for (const payment of [one, two]) await takenBack(payment)
    expect(await balances()).toEqual({ tenant: -120, refunds: 0 })
    expect((await transfer('settle-debt', '60', 'typed', '--payment', one.id)).code).toBe(0)
    expect((await transfer('settle-debt', '60', 'typed', '--payment', one.id)).code).toBe(1)
    for (const other of [
      await transfer('settle-debt', '60', 'typed', '--payment', two.id),
      await fund('60', 'typed'),
      await transfer('release-reserve', '60', 'typed'),
    ])
      expect(other).toMatchObject({ code: 2, text: expect.stringMatching(/^--reference was used/) as string })
    const less = await transfer('settle-debt', '59', 'typed', '--payment', one.id)
    expect(less).toMatchObject({
      code: 2,
      text: expect.stringMatching(/^--amount is another .*: 60 BRL were/) as string,
    })
    expect(await balances()).toEqual({ tenant: -60, refunds: 0 })
    // The part of the same transfer that pays another debt has a name of its own.
    expect((await transfer('settle-debt', '60', 'typed:2', '--payment', two.id)).code).toBe(0)
    expect(await balances()).toEqual({ tenant: 0, refunds: 0 })
  })

  it('is given back where a payout that was on its way comes back after all', async () => {
    const payment = await paid()
    await fund('100', payment.id)
    await takenBack(payment, { valor: '70.00' })
    // What is left of the second receiver's waits for an operator.
    expect(await balances()).toEqual({ tenant: 0, refunds: 30 })
    await setFirstPayout(harness, payment, 'waiting')
    await harness.pixControl(`/pix/${payment.endToEndId}/med`, { valor: '30.00' })
    await untilToldOf(harness, payment.endToEndId, 3)
    await harness.runJobs()
    expect(await balances()).toEqual({ tenant: 0, refunds: 100 })
  })

  it('is none where it has set more aside: that can be paid out, and no more', async () => {
    const more = await transfer('release-reserve', '100.01', 'out-1')
    expect(more).toMatchObject({ code: 2, text: expect.stringContaining('has set aside: 100 BRL.') as string })
    const part = await transfer('release-reserve', '40', 'out-1')
    expect(JSON.parse(part.text)).toMatchObject({ booked: true, balance: '60' })
    expect((await transfer('release-reserve', '40', 'out-1')).code).toBe(1)
    expect((await transfer('release-reserve', '60', 'out-2')).code).toBe(0)
  })

  it('is taken of what a refused refund gives back', async () => {
    const payment = await paid()
    await harness.query(`update payments.payout set state = 'sending' where payment_id = $1`, [payment.id])
    await fund('100', payment.id)
    await orderRefund(harness, payment.payment)
    expect(await balances()).toEqual({ tenant: 0, refunds: 0 })
    // The payer has it taken back by force before the refund is sent, which the provider then refuses.
    await harness.pixControl(`/pix/${payment.endToEndId}/med`)
    await untilToldOf(harness, payment.endToEndId, 2)
    await harness.runJobs()
    expect(await refundsOf(harness, payment.payment)).toMatchObject([{ status: 'failed' }])
    expect(await balances()).toEqual({ tenant: 0, refunds: 0 })
  })

  it('is not paid by a second payment that is on its way back to its payer', async () => {
    const payment = await paid()
    await fund('100', payment.id)
    await harness.pixControl('/returns', { mode: 'hold' })
    const twice = String((await harness.pixControl(`/cob/${payment.txid}/pay`, { again: true }))['endToEndId'])
    await untilToldOf(harness, twice, 1)
    await harness.runJobs()
    expect(await balances()).toEqual({ tenant: 100, refunds: 100 })
    const refused = await transfer('pay-tenant', '100', 'theirs', '--payment', payment.id)
    expect(refused.text).toContain('--amount is more than the tenant is owed of the payment: 0 BRL.')
    await takenBack(payment)
    // 60 of the payer's money are with the receiver; the second payment is not the tenant's.
    expect(await balances()).toEqual({ tenant: 100, refunds: 40 })
    await harness.pixControl('/returns', { mode: 'settle' })
    await harness.goOn(60)
    expect((await balances()).refunds).toBe(40)
  })
  it('is taken in as many parts as what it sets aside comes in', async () => {
    await transfer('release-reserve', '40', 'parts-out')
    const before = await balances()
    const { id: paymentId, ...payment } = await paid()
    await takenBack(payment)
    const about = { tenantId: harness.tenant.id, paymentId, at: harness.clock.now() }
    const parts = Array.from({ length: 201 }, (_, place) =>
      recoveryEntry(place + 1, { amount: '0.01', currency: 'BRL' }),
    )
    await harness.deps.ledger.transaction((em) => harness.deps.ledger.book(em, about, ...parts))
    await fund('5', 'parts')
    expect((await balances()).tenant - before.tenant).toBeCloseTo(-55)
    await transfer('settle-debt', '55', 'parts-rest', '--payment', paymentId)
  })

  it('is recovered each night behind a thousand debts of tenants that have set nothing aside', async () => {
    const { id, ...payment } = await paid()
    await takenBack(payment)
    for (const statement of POOR) await harness.query(statement)
    await setAside('3', 'poor')
    await reconcileAll(harness.deps)
    expect(await recoveredOf(id)).toBe('3')
    await transfer('settle-debt', '57', 'poor-rest', '--payment', id)
  })

  it('keeps no other from being recovered, and nothing from being compared, where it cannot be recovered', async () => {
    const [broken, whole] = [await paid(), await paid()]
    for (const one of [broken, whole]) await takenBack(one)
    // A movement of another kind has the name that the next one would have.
    const about = { tenantId: harness.tenant.id, paymentId: broken.id, at: harness.clock.now() }
    const other = move('recovered:1', 'bank', 'bank', { amount: '1', currency: 'BRL' })
    await harness.deps.ledger.transaction((em) => harness.deps.ledger.book(em, about, other))
    await setAside('200', 'all')
    await loseJobs(harness)
    await reconcileAll(harness.deps)
    expect(await recoveredOf(whole.id)).toBe('60')
    const compared = await harness.query(`select from graphile_worker.jobs where task_identifier = 'reconcile'`)
    expect(compared).not.toEqual([])
    const told = async () => (await harness.deps.alerts.list()).filter(({ subject }) => subject === 'debts')
    expect(await told()).toMatchObject([
      { kind: 'books_differ', details: expect.stringContaining(broken.id) as string },
    ])
    await harness.query(`delete from payments.ledger_line where payment_id = $1 and account = 'bank'`, [broken.id])
    await reconcileAll(harness.deps)
    expect(await recoveredOf(broken.id)).toBe('60')
    expect(await told()).toEqual([])
  })
})
