import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { paidPayment } from '../fixtures/pix-payments.js'
import { closeDays, closeLedger } from '../domain/close-ledger.js'
import { overpaymentEntry, REFUND_BALANCE, refundTopUpEntry, reserveReleasedEntry } from '../model/ledger-entries.js'
import { until } from '../../../test/harness/until.js'

const harness = await startPaymentsHarness()
const { ledger, alerts } = harness.deps
const DAY_SECONDS = 86_400

async function pay(): Promise<string> {
  return (await paidPayment(harness)).payment.id
}

const topUp = (reference: string) =>
  ledger.bookOnce(
    { tenantId: harness.tenant.id, paymentId: '-', at: harness.clock.now() },
    refundTopUpEntry(reference, { amount: '7', currency: 'BRL' }),
  )

describe('a closed period of the ledger', () => {
  it('leaves every balance as it was, day by day, and takes what comes after', async () => {
    await pay()
    await topUp('first')
    await harness.advance(DAY_SECONDS)
    await pay()
    await harness.advance(2 * DAY_SECONDS)
    const before = await ledger.balances()
    await closeDays(harness.deps)
    expect(await ledger.balances()).toEqual(before)
    const closes = await harness.query('select distinct closed_to from payments.ledger_close')
    expect(closes.length).toBeGreaterThanOrEqual(2)
    expect(await ledger.findDiscrepancies({ isAll: true })).toEqual([])
    await topUp('second')
    const held = await ledger.transaction((em) =>
      ledger.lockRefundBalance(em, { tenantId: harness.tenant.id, currency: 'BRL' }),
    )
    expect(held).toBe('14')
    expect((await ledger.balances()).find(({ account }) => account === REFUND_BALANCE)?.balance).toBe('-14')
  })

  it('closes nothing a second time, and never goes back', async () => {
    const before = await ledger.fence()
    await closeDays(harness.deps)
    await ledger.close(new Date(before.closedTo.getTime() - DAY_SECONDS * 1000))
    expect(await ledger.fence()).toEqual(before)
  })

  it('refuses every change of its lines and every line more', async () => {
    const closed = `created_at < (select closed_to from payments.ledger_fence)`
    await expect(harness.query(`update payments.ledger_line set account = 'x' where ${closed}`)).rejects.toThrow(
      'closed',
    )
    await expect(harness.query(`delete from payments.ledger_line where ${closed}`)).rejects.toThrow('closed')
    const { closedTo } = await ledger.fence()
    const late = ledger.bookOnce(
      { tenantId: 't', paymentId: '-', at: new Date(closedTo.getTime() - 1) },
      refundTopUpEntry('late', { amount: '1', currency: 'BRL' }),
    )
    await expect(late).rejects.toThrow('the ledger is closed up to')
  })

  it('takes up again where a crash left the balances behind the fence', async () => {
    await pay()
    await harness.advance(2 * DAY_SECONDS)
    const before = await ledger.balances()
    const to = new Date(harness.clock.now().getTime() - 3_600_000)
    await harness.query('update payments.ledger_fence set closed_to = $1', [to])
    expect(await ledger.balances()).toEqual(before)
    await ledger.close(to)
    expect((await ledger.fence()).balancedTo).toEqual(to)
    expect(await ledger.balances()).toEqual(before)
    expect(await ledger.findDiscrepancies({ isAll: true })).toEqual([])
  })

  it('is made while a check of everything runs, which finds nothing by that', async () => {
    await pay()
    const about = { tenantId: harness.tenant.id, paymentId: '-', at: harness.clock.now() }
    await ledger.bookOnce(about, reserveReleasedEntry('back', { amount: '14', currency: 'BRL' }))
    await harness.advance(2 * DAY_SECONDS)
    const blocker = await harness.db.pool.connect()
    await blocker.query('begin; lock table payments.receipt in access exclusive mode')
    const found = ledger.findDiscrepancies({ isAll: true })
    await until('the check waits for receipts', async () => {
      const waiting = `select 1 from pg_locks where not granted and relation = 'payments.receipt'::regclass`
      return (await harness.query(waiting)).length > 0
    })
    await ledger.close(new Date(harness.clock.now().getTime() - 3_600_000))
    await blocker.query('rollback')
    blocker.release()
    expect(await found).toEqual([])
  })

  it('is not made while a check finds something, which an operator is told until it is mended', async () => {
    await pay()
    await harness.query(
      `update payments.receipt set amount = '100.01' where created_at >= (select closed_to from payments.ledger_fence)`,
    )
    await harness.advance(2 * DAY_SECONDS)
    const before = await ledger.fence()
    await closeDays(harness.deps)
    expect(await ledger.fence()).toEqual(before)
    expect((await alerts.list()).map(({ kind, subject }) => [kind, subject])).toContainEqual(['books_differ', 'ledger'])
    const to = new Date(harness.clock.now().getTime() - 3_600_000)
    expect((await closeLedger({ ledger }, to)).discrepancies.join()).toMatch(/receipt .* is not booked/)
    await harness.query(`update payments.receipt set amount = '100' where amount = '100.01'`)
    await closeDays(harness.deps)
    expect((await ledger.fence()).closedTo.getTime()).toBeGreaterThan(before.closedTo.getTime())
    expect((await alerts.list()).map(({ subject }) => subject)).not.toContain('ledger')
  })

  it('is not kept from closing by a receiver who was paid twice, once that is booked', async () => {
    await pay()
    const [{ id } = {}] = await harness.query('select id from payments.payment order by id desc limit 1')
    const at = harness.clock.now()
    for (const attempt of [1, 2]) {
      await harness.query(
        `insert into payments.treasury_transaction (chain_name, hash, account, version, nonce, raw, state, created_at, batch_id)
          values ('polygon', $1, '0x', 0, $2, 'raw', 'confirmed', $3, $1)`,
        [`0x${attempt}`, attempt, at],
      )
      await harness.query(
        `insert into payments.batch_leg (batch_id, position, tenant_id, payment_id, leg, attempt, amount, outcome)
          values ($1, 0, 'tenant', $2, 0, $3, '5.5', 'paid')`,
        [`0x${attempt}`, id, attempt],
      )
    }
    expect((await ledger.findDiscrepancies()).join()).toMatch(/payout 0 .* was paid by 2 transactions/)
    const entry = overpaymentEntry('0x2', 0, 'polygon', { amount: '5.5', currency: 'USDT' })
    await ledger.bookOnce({ tenantId: 'tenant', paymentId: String(id), at }, entry)
    expect(await ledger.findDiscrepancies()).toEqual([])
  })

  it('is found out where its balance is not what its lines say', async () => {
    await harness.query(`update payments.ledger_balance set debit = debit + 1 where account = 'provider:pix'`)
    expect((await ledger.findDiscrepancies({ isAll: true })).join()).toMatch(
      /account provider:pix .* closed with another/,
    )
    expect((await ledger.findDiscrepancies()).join()).toMatch(/not balanced over all accounts/)
  })
})
