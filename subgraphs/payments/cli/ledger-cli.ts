import { parseArgs } from 'node:util'
import { systemClock } from '../../../kernel/clock.js'
import type { CliOutput } from '../../../kernel/command-line.js'
import type { Database } from '../../../kernel/database.js'
import { createLog } from '../../../kernel/log.js'
import { commandTarget, connectCommand, NotAvailableError, type CommandEnv } from '../../../kernel/sandbox-file.js'
import { openPaymentsDatabase } from '../context.js'
import { loadLedgerEnv } from '../env.js'
import { releasePayouts } from '../settlement/release-payouts.js'
import { alertsStore } from '../store/alerts.js'
import { ledgerStore } from '../store/ledger.js'
import { refundsStore } from '../store/refunds.js'
import { fundRefunds, topUpProblem, type RefundTopUp } from './fund-refunds.js'

const USAGE = `Usage: npm run ledger -- check | balances [tenant id] | alerts | release <payment id> |
    fund-refunds --tenant <id> --amount <decimal> --reference <text> [--currency BRL] |
    refund-reserve --tenant <id> --percent <0 to 50>
  check     proves that the ledger balances and agrees with receipts and payouts; exit code 1 where it does not
  balances  what each account holds: debits less credits
  alerts    what an operator was told of
  release   pays receivers who are held because a part of the payer's money was taken back; exit code 1 where none is
  fund-refunds  books what a tenant has paid in for refunds, once per reference; exit code 1 where it was booked before
  refund-reserve  the share of what a tenant's payers pay by Pix or card that is set aside for refunds from now on; 0 for none`

/**
 * The command line of the ledger; prints JSON.
 * @returns the exit code: 1 for a discrepancy, 2 where the command cannot run
 */
export async function ledgerCli(args: readonly string[], output: CliOutput, env?: CommandEnv): Promise<number> {
  const [command, id] = args
  const topUp = command === 'fund-refunds' ? readTopUp(args.slice(1)) : undefined
  const problem = problemOf(command, id, topUp, args.slice(1))
  if (problem !== undefined) {
    output.err(problem)
    return 2
  }
  const db = await open(env ?? loadLedgerEnv(), output)
  if (!db) return 2
  try {
    const ledger = ledgerStore(db)
    if (command === 'check') return await check(ledger, output)
    if (command === 'release') return await release(db, id ?? '', output)
    if (topUp) return await fund(db, topUp as RefundTopUp, output)
    if (command === 'refund-reserve') return await setReserve(db, readReserve(args.slice(1)), output)
    const rows =
      command === 'balances'
        ? await ledger.balances(id)
        : await alertsStore(db, systemClock, createLog('silent')).list()
    output.out(JSON.stringify(rows, null, 2))
    return 0
  } finally {
    await db.close()
  }
}

const COMMANDS: readonly (string | undefined)[] = [
  'check',
  'balances',
  'alerts',
  'release',
  'fund-refunds',
  'refund-reserve',
]

/** Why a command line cannot be run; undefined where it can. */
function problemOf(
  command: string | undefined,
  id: string | undefined,
  topUp: Partial<RefundTopUp> | undefined,
  rest: readonly string[],
): string | undefined {
  if (!COMMANDS.includes(command) || (command === 'release' && id === undefined)) return USAGE
  const problem = command === 'refund-reserve' ? reserveProblem(readReserve(rest)) : topUp && topUpProblem(topUp)
  return problem === undefined ? undefined : `${problem}\n${USAGE}`
}

function readTopUp(args: readonly string[]): Partial<RefundTopUp> {
  const options = { tenant: { type: 'string' }, amount: { type: 'string' } } as const
  const more = { currency: { type: 'string', default: 'BRL' }, reference: { type: 'string' } } as const
  try {
    const { values } = parseArgs({ args: [...args], options: { ...options, ...more } })
    const { tenant = '', amount = '', currency, reference = '' } = values
    return { tenantId: tenant, amount, currency, reference }
  } catch {
    // An option that is not known: the problem that is told is that of the first that is needed.
    return {}
  }
}

/** What a tenant sets aside of its payments for refunds. */
interface Reserve {
  tenant: string
  percent: string
}

function readReserve(args: readonly string[]): Reserve {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { tenant: { type: 'string' }, percent: { type: 'string' } },
    })
    return { tenant: values.tenant ?? '', percent: values.percent ?? '' }
  } catch {
    return { tenant: '', percent: '' }
  }
}

function reserveProblem({ tenant, percent }: Reserve): string | undefined {
  if (tenant === '') return '--tenant is required'
  const isShare = /^\d{1,2}(\.\d{1,2})?$/.test(percent) && Number(percent) <= 50
  return isShare ? undefined : '--percent has to be from 0 to 50, with two decimals at most'
}

async function setReserve(db: Database, { tenant, percent }: Reserve, output: CliOutput): Promise<number> {
  await refundsStore(db).setReserve(tenant, percent)
  output.out(JSON.stringify({ tenantId: tenant, percent }))
  return 0
}

async function fund(db: Database, topUp: RefundTopUp, output: CliOutput): Promise<number> {
  const balance = await fundRefunds(db, systemClock, topUp)
  const { tenantId, currency, reference } = topUp
  output.out(JSON.stringify({ tenantId, reference, currency, booked: balance !== undefined, balance }))
  return balance === undefined ? 1 : 0
}

async function check(ledger: ReturnType<typeof ledgerStore>, output: CliOutput): Promise<number> {
  const discrepancies = await ledger.findDiscrepancies()
  const balances = await ledger.balances()
  output.out(JSON.stringify({ balanced: discrepancies.length === 0, discrepancies, balances }, null, 2))
  return discrepancies.length === 0 ? 0 : 1
}

async function release(db: Database, paymentId: string, output: CliOutput): Promise<number> {
  const released = await releasePayouts(db, systemClock, paymentId)
  output.out(JSON.stringify({ paymentId, released }))
  return released > 0 ? 0 : 1
}

/** Connects; says why where that cannot be done. */
async function open(env: CommandEnv, { err }: CliOutput): Promise<Database | undefined> {
  try {
    const { url } = await commandTarget(env)
    return await connectCommand(env, () => openPaymentsDatabase({ url, poolSize: 2, log: createLog('silent') }))
  } catch (error) {
    if (!(error instanceof NotAvailableError)) throw error
    err(error.message)
    return undefined
  }
}
