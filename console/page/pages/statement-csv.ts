import type { StatementLineKind, StatementResult } from '../generated/operations.js'
import { csvLine } from '../parts/csv.js'

export type StatementLine = NonNullable<StatementResult['statement']>['edges'][number]['node']

const COLUMNS = [
  'at',
  'kind',
  'entry',
  'paymentId',
  'orderCode',
  'rail',
  'receiver',
  'transactionHash',
  'account',
  'currency',
  'amount',
] as const

export const STATEMENT_HEADING = csvLine(COLUMNS)

/** A line of a statement as CSV. Amounts are as the server has written them. */
export function statementCsv(line: StatementLine): string {
  // As `npm run ledger -- statement` writes it: what reads these files knows `pix`, `platform-fee`, and `-` for no payment.
  const { rail, kind, paymentId } = line
  const written = { ...line, rail: rail?.toLowerCase(), kind: kindText(kind), paymentId: paymentId ?? '-' }
  return csvLine(COLUMNS.map((name) => written[name] ?? ''))
}

/** A kind of line as the ledger writes it: `platform-fee`. */
export function kindText(kind: StatementLineKind): string {
  return kind.toLowerCase().replaceAll('_', '-')
}
