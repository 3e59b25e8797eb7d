import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { useIsAsking } from '../graph/asking.js'

/** A column: its heading, and what a row shows in it. */
export interface Column<Row> {
  name: string
  show: (row: Row) => ReactNode
  /** Amounts stand below each other. */
  isAmount?: boolean
}

interface DataTableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  test?: string
  /** What is shown instead where there is no row. */
  nothing?: ReactNode
}

/**
 * A table that is scrolled sideways where it has no room, by the keyboard too; on a phone each row is a card, with its columns' names. The roles say
 * that it is a table still. While other rows are asked for, its old ones are dimmed.
 */
export function DataTable<Row>({ label, columns, rows, keyOf, test, nothing }: DataTableProps<Row>): ReactNode {
  const isAsking = useIsAsking()
  if (rows.length === 0 && nothing !== undefined) return nothing
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={label} aria-busy={isAsking}>
      <Table verticalSpacing={7} highlightOnHover data-test={test} role="table">
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map(({ name, isAmount }) => (
              <Table.Th key={name} role="columnheader" ta={isAmount ? 'right' : 'left'}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)} role="row" data-test="row" data-id={keyOf(row)}>
              {columns.map(({ name, show, isAmount }) => (
                <Table.Td
                  key={name}
                  role="cell"
                  data-column={name}
                  ta={isAmount ? 'right' : 'left'}
                  className={isAmount ? 'amount' : undefined}
                >
                  <div className="cell">{show(row)}</div>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
