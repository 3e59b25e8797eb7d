import type { ReactNode } from 'react'
import { paymentsQuery } from '../generated/operations.js'
import { CsvExport } from '../parts/csv-export.js'
import { PAYMENTS_HEADING, paymentCsv } from './payment-csv.js'
import { paymentVariables, type PaymentSearch } from './payment-search.js'

/** The payments that fit the filter, newest first, as a file. */
export function PaymentExport({ search }: { search: PaymentSearch }): ReactNode {
  const { filter } = paymentVariables(search)
  return (
    <CsvExport
      fileName="payments.csv"
      heading={PAYMENTS_HEADING}
      document={paymentsQuery}
      variables={{ filter }}
      pageOf={({ payments }) => payments}
      lineOf={paymentCsv}
    />
  )
}
