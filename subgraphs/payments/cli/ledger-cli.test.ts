import { describe, expect, it } from 'vitest'
import { paidPayment } from '../fixtures/pix-payments.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { loadLedgerEnv } from '../env.js'
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

  it('refuses a chain, a token and a provider that nobody knows, and is paused by none of them', async () => {
    const chains = harness.deps.settings.chains
    const [{ name: known = '' } = {}] = chains
    const runWith = async (...args: string[]) => {
      const lines: string[] = []
      const output = { out: (line: string) => void lines.push(line), err: (line: string) => void lines.push(line) }
      const code = await ledgerCli(args, output, {
        ...{ databaseUrl: harness.databaseUrl, dataDir: 'nowhere' },
        readChains: () => chains,
      })
      return { code, text: lines.join('\n') }
    }
    for (const refused of [
      await run('pause', '--chain', 'polgyon', '--reason', 'x'),
      await run('reconcile', '--chain=polgyon'),
      await runWith('treasury-cap', '--chain', 'polgyon', '--symbol', 'USDT', '--per-day', '1'),
      await runWith('treasury-cap', '--chain', known, '--symbol', 'USTD', '--per-day', '1'),
      await run('reconcile', '--provider', 'pxi'),
    ])
      expect(refused.code).toBe(2)
    expect(await harness.deps.pauses.list()).toEqual([])
    expect(await harness.query(`select from graphile_worker.jobs where task_identifier = 'reconcile'`)).toEqual([])
    // Of a chain that the deployment has, or that the books tell of.
    expect((await runWith('treasury-cap', '--chain', known, '--symbol', 'USDT', '--per-day', '1')).code).toBe(0)
    expect((await run('pause', '--chain', 'polygon', '--reason', 'x')).code).toBe(0)
    expect((await run('resume', '--chain', 'polgyon')).code).toBe(0)
    expect((await run('resume', '--chain', 'polygon')).code).toBe(0)
  })

  it('needs no file of chains but to check the name of one, and pauses a chain all the same', async () => {
    const runWithout = async (...args: string[]) => {
      const lines = { out: '', err: '' }
      const output = { out: (line: string) => (lines.out += line), err: (line: string) => (lines.err += line) }
      const environment = { DATABASE_URL: harness.databaseUrl, DATA_DIR: 'nowhere', CHAINS_FILE: 'nowhere/chains.json' }
      return { code: await ledgerCli(args, output, loadLedgerEnv(environment)), ...lines }
    }
    for (const args of [['alerts'], ['pause', '--reason', 'x'], ['resume']])
      expect(await runWithout(...args)).toMatchObject({ code: 0, err: '' })
    expect(await runWithout('release', 'no-payment')).toMatchObject({ code: 1 })
    const paused = await runWithout('pause', '--chain', 'new-chain', '--reason', 'x')
    expect(paused).toMatchObject({ code: 0, err: expect.stringContaining('CHAINS_FILE') as string })
    expect(await harness.deps.pauses.list()).toMatchObject([{ chainName: 'new-chain' }])
    expect((await runWithout('resume', '--chain', 'new-chain')).code).toBe(0)
    const capped = runWithout('treasury-cap', '--chain', 'new-chain', '--symbol', 'USDT', '--per-day', '1')
    await expect(capped).rejects.toThrow('CHAINS_FILE')
  })

  it('is written down with its tenant, however that is given', async () => {
    for (const words of [['--tenant', 'one'], ['--tenant=two']])
      expect((await run('gas', ...words, '--by', 'platform')).code).toBe(0)
    const acts = await harness.query(
      `select tenant_id from kernel.audit_entry where operation = 'ledger gas' order by 1`,
    )
    expect(acts.map((act) => act['tenant_id'])).toEqual(['one', 'two'])
  })

  it('says how it is used, and what it needs', async () => {
    expect(await run('nothing')).toMatchObject({ code: 2, err: expect.stringContaining('Usage') as string })
    const lines: string[] = []
    const output = { out: () => undefined, err: (line: string) => void lines.push(line) }
    expect(await ledgerCli(['check'], output, { databaseUrl: undefined, dataDir: 'nowhere' })).toBe(2)
    expect(lines.join()).toContain('DATABASE_URL')
  })
})
