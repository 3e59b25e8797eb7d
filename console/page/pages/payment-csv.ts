import type { PaymentsResult } from '../generated/operations.js'
import { csvLine } from '../parts/csv.js'

type Payment = NonNullable<PaymentsResult['payments']>['edges'][number]['node']

const COLUMNS = [
  'id',
  'createdAt',
  'status',
  'transactionType',
  'amountFrom',
  'fromCurrencySymbol',
  'amountTo',
  'toCurrencySymbol',
  'refundedAmount',
  'payerEmail',
  'payerWallet',
] as const

export const PAYMENTS_HEADING = csvLine([...COLUMNS, 'error'])

/** A payment as a line of CSV. Amounts are as the server has written them. */
export function paymentCsv(payment: Payment): string {
  return csvLine([...COLUMNS.map((name) => payment[name] ?? ''), payment.dataError?.reason.toLowerCase() ?? ''])
}
