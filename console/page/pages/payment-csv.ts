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

/** Behind the others, so that whoever reads the file by place goes on to. */
const LATER_COLUMNS = ['settledAmount', 'settledCurrency', 'refundedCurrency', 'receiversAmount'] as const

export const PAYMENTS_HEADING = csvLine([...COLUMNS, 'error', ...LATER_COLUMNS])

/** A payment as a line of CSV. Amounts are as the server has written them. */
export function paymentCsv(payment: Payment): string {
  const cells = (names: readonly (keyof Payment)[]): string[] => names.map((name) => String(payment[name] ?? ''))
  return csvLine([...cells(COLUMNS), payment.dataError?.reason.toLowerCase() ?? '', ...cells(LATER_COLUMNS)])
}
