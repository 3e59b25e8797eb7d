import { describe, expect, it } from 'vitest'
import { paidPayment } from '../fixtures/pix-payments.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { ledgerCli } from './ledger-cli.js'

const harness = await startPaymentsHarness()

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const lines = { out: '', err: '' }
  const output = { out: (line: string) => (lines.out += line), err: (line: string) => (lines.err += line) }
  const env = { databaseUrl: harness.databaseUrl, dataDir: 'nowhere' }
  return { code: await ledgerCli(args, output, env), ...lines }
}

describe('npm run ledger', () => {
  it('finds nothing wrong where every movement is booked', async () => {
    const { payment } = await paidPayment(harness)
    const { code, out } = await run('check')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ balanced: true, discrepancies: [] })
    // What the tenant is owed before its receivers are paid.
    const balances = JSON.parse((await run('balances', payment.tenantId)).out) as unknown
    expect(balances).toContainEqual({ account: 'tenant', currency: 'USDT', balance: '-18.450185' })
    expect((await run('alerts')).code).toBe(0)
  })

  it('finds money that is not booked, and payouts that were never made', async () => {
    await harness.query(`update payments.receipt set amount = '100.01'`)
    await harness.query(`update payments.payout set state = 'confirmed'`)
    const { code, out } = await run('check')
    expect(code).toBe(1)
    const { discrepancies } = JSON.parse(out) as { discrepancies: string[] }
    expect(discrepancies.join('\n')).toMatch(/receipt .* is not booked/)
    expect(discrepancies.join('\n')).toMatch(/payout 0 .* is confirmed and not booked once/)
  })

  it('cannot be made to hold an entry that does not balance', async () => {
    const insert = `insert into payments.ledger_line (tenant_id, payment_id, entry, line, account, currency, debit, credit, created_at)
      values ('t', 'p', 'e', 0, 'tenant', 'BRL', 1, 0, now())`
    await expect(harness.query(insert)).rejects.toThrow('does not balance')
  })

  it('says how it is used, and what it needs', async () => {
    expect(await run('nothing')).toMatchObject({ code: 2, err: expect.stringContaining('Usage') as string })
    const lines: string[] = []
    const output = { out: () => undefined, err: (line: string) => void lines.push(line) }
    expect(await ledgerCli(['check'], output, { databaseUrl: undefined, dataDir: 'nowhere' })).toBe(2)
    expect(lines.join()).toContain('DATABASE_URL')
  })
})
