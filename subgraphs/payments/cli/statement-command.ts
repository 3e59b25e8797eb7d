import { neededOption, readOptions, UsageError, type CliOutput } from '../../../kernel/command-line.js'
import { statementsStore, type StatementBalance, type StatementPlace } from '../store/statements.js'
import { timeOption } from '../../../kernel/time-option.js'
import type { Books } from './answer.js'

const OPTIONS = Object.fromEntries(
  ['tenant', 'from', 'to', 'format', 'receiver', 'order', 'rail'].map((name) => [name, { type: 'string' as const }]),
)

/** Lines that are read at once: what is in memory does not grow with the statement. */
const PAGE = 1_000

/** What stands in a row, in this order. */
const COLUMNS = [
  'at',
  'kind',
  'account',
  'currency',
  'amount',
  'paymentId',
  'orderCode',
  'rail',
  'receiver',
  'transactionHash',
  'entry',
] as const
type Row = Partial<Record<(typeof COLUMNS)[number], unknown>>

/**
 * Prints a tenant's statement, row by row as it is read: opening balances, lines, closing balances.
 * @throws UsageError
 */
export async function printStatement({ db, clock }: Books, args: readonly string[], { out }: CliOutput): Promise<void> {
  const values = readOptions(args, OPTIONS)
  const tenantId = neededOption(values, 'tenant')
  const textOf = (name: string): string | undefined => values[name] as string | undefined
  const [from, to] = [timeOption(values, 'from') ?? new Date(0), timeOption(values, 'to') ?? clock.now()]
  if (to < from) throw new UsageError('--to has to be after --from.')
  const write = writerOf(textOf('format') ?? 'csv', out)
  const statements = statementsStore(db)
  const filter = { from, to, receiver: textOf('receiver'), orderCode: textOf('order'), rail: textOf('rail') }
  const balances = async (kind: string, at: Date): Promise<void> => {
    for (const balance of await statements.balancesAt(tenantId, at)) write(balanceRow(kind, at, balance))
  }
  await balances('opening_balance', from)
  for (let after: StatementPlace | undefined; ;) {
    const lines = await statements.page(tenantId, filter, { limit: PAGE, after })
    for (const line of lines) write(line)
    if (lines.length < PAGE) break
    after = lines.at(-1)
  }
  await balances('closing_balance', to)
}

function balanceRow(kind: string, at: Date, { account, currency, balance }: StatementBalance): Row {
  return { at: at.toISOString(), kind, account, currency, amount: balance }
}

function writerOf(format: string, out: CliOutput['out']): (row: Row) => void {
  if (format === 'jsonl') {
    return (row) => {
      out(JSON.stringify(Object.fromEntries(COLUMNS.map((column) => [column, row[column] ?? null]))))
    }
  }
  if (format !== 'csv') throw new UsageError('--format has to be csv or jsonl.')
  out(COLUMNS.join(','))
  return (row) => {
    out(COLUMNS.map((column) => cell(row[column])).join(','))
  }
}

/** A cell of CSV (RFC 4180). A text that a spreadsheet would take for a formula begins with an apostrophe; a number does not. */
function cell(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const safe = /^[=@\t\r]|^[+-](?![\d.]+$)/.test(text) && text !== '-' ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
