import { afterEach, describe, expect, it } from 'vitest'
import { RECEIVERS } from '../../../test/harness/chains.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { ledgerCli } from '../cli/ledger-cli.js'
import { chargedPayment, payAndProcess, untilToldOf } from '../fixtures/pix-payments.js'
import { fundRefunds } from '../fixtures/refunds.js'

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
  const rows = await harness.deps.ledger.balances()
  const of = (account: string) =>
    -Number(rows.find((row) => row.account === account && row.currency === 'BRL')?.balance ?? '0') || 0
  return { tenant: of('tenant'), refunds: of('tenant:refunds') }
}

/** A payment of 100.00 of which the receiver of 60.00 may have been paid. */
async function paid(): Promise<{ id: string; endToEndId: string }> {
  const { payment, txid } = await chargedPayment(harness, { splitPaymentConfig })
  const endToEndId = await payAndProcess(harness, txid)
  await harness.query(`update payments.payout set state = 'sending' where payment_id = $1 and leg = 0`, [payment.id])
  return { id: payment.id, endToEndId }
}

async function takenBack({ endToEndId }: { endToEndId: string }, wish: object = {}): Promise<void> {
  await harness.pixControl(`/pix/${endToEndId}/med`, wish)
  await untilToldOf(harness, endToEndId, 2)
  await harness.runJobs()
}

async function ledger(...args: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = []
  const output = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) }
  const env = { databaseUrl: harness.databaseUrl, dataDir: 'nowhere' }
  return { code: await ledgerCli(args, output, env), text: lines.join('\n') }
}

const transfer = (command: string, amount: string, reference: string, ...more: string[]) =>
  ledger(command, '--tenant', harness.tenant.id, '--amount', amount, '--reference', reference, ...more)

describe('what a dispute leaves a tenant owing', () => {
  it('is taken from what it has set aside for refunds, as far as that goes', async () => {
    const payment = await paid()
    await fundRefunds(harness.databaseUrl, harness.tenant.id, '25', payment.id)
    await takenBack(payment)
    expect(await balances()).toEqual({ tenant: -35, refunds: 0 })
  })

  it('is paid by bank, once per reference and never more than is owed', async () => {
    expect(await transfer('settle-debt', '35.01', 'bank-1')).toMatchObject({
      code: 2,
      text: expect.stringContaining('--amount is more than the tenant owes') as string,
    })
    expect((await transfer('settle-debt', '35', 'bank-1')).code).toBe(0)
    expect((await transfer('settle-debt', '35', 'bank-1')).code).toBe(1)
    expect(await balances()).toEqual({ tenant: 0, refunds: 0 })
  })

  it('is given back where a payout that was on its way comes back after all', async () => {
    const payment = await paid()
    await fundRefunds(harness.databaseUrl, harness.tenant.id, '100', payment.id)
    await takenBack(payment, { valor: '70.00' })
    // What is left of the second receiver's waits for an operator.
    expect(await balances()).toEqual({ tenant: 0, refunds: 30 })
    await harness.query(`update payments.payout set state = 'waiting' where payment_id = $1 and leg = 0`, [payment.id])
    await harness.pixControl(`/pix/${payment.endToEndId}/med`, { valor: '30.00' })
    await untilToldOf(harness, payment.endToEndId, 3)
    await harness.runJobs()
    expect(await balances()).toEqual({ tenant: 0, refunds: 100 })
  })

  it('is none where it has set more aside: that can be paid out, and no more', async () => {
    expect((await transfer('pay-tenant', '0.01', 'out-1')).text).toContain('--amount is more than the tenant is owed')
    const more = await transfer('pay-tenant', '100.01', 'out-1', '--from', 'refunds')
    expect(more.text).toContain('--amount is more than the tenant has set aside for refunds')
    const part = await transfer('pay-tenant', '40', 'out-1', '--from', 'refunds')
    expect(JSON.parse(part.text)).toMatchObject({ booked: true, balance: '0', refunds: '60' })
    expect((await transfer('pay-tenant', '40', 'out-1', '--from', 'refunds')).code).toBe(1)
    expect((await transfer('pay-tenant', '40', 'out-2', '--from', 'bank')).code).toBe(2)
  })
})
