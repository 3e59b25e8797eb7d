import type { ReactNode } from 'react'
import { statementQuery } from '../generated/operations.js'
import { CsvExport } from '../parts/csv-export.js'
import { STATEMENT_HEADING, statementCsv } from './statement-csv.js'

/** A statement as a file. */
export function StatementExport({ time }: { time: { from: string; to?: string } }): ReactNode {
  return (
    <CsvExport
      fileName="statement.csv"
      heading={STATEMENT_HEADING}
      document={statementQuery}
      variables={time}
      pageOf={({ statement }) => statement}
      lineOf={statementCsv}
    />
  )
}
