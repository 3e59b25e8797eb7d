import type { StatementResult } from '../generated/operations.js'

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

/** A statement as CSV (RFC 4180), with a heading. Amounts are as the server has written them. */
export function csvOf(lines: readonly StatementLine[]): string {
  const rows = lines.map((line) => COLUMNS.map((name) => cell(line[name] ?? '')))
  return [COLUMNS, ...rows].map((row) => `${row.join(',')}\r\n`).join('')
}

/** A spreadsheet runs what begins like a formula; amounts below zero are none. */
function cell(text: string): string {
  const safe = /^[=+@\t\r-]/.test(text) && !/^-\d+(?:\.\d+)?$/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
