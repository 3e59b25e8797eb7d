import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { Allowed } from '../session/allowed.js'
import type { Column } from './table.js'

interface RowButtonProps {
  text: string
  /** Which row, for who hears the button alone. */
  of: string
  test: string
  onClick: () => void
}

/** What can be done about a row of a table. */
export function RowButton({ text, of, test, onClick }: RowButtonProps): ReactNode {
  return (
    <Button size="compact-xs" variant="default" onClick={onClick} aria-label={`${text}: ${of}`} data-test={test}>
      {text}
    </Button>
  )
}

/** A column of such buttons. */
export function buttonColumn<Row>(
  text: string,
  of: (row: Row) => string,
  test: string,
  onClick: (row: Row) => void,
): Column<Row> {
  return { name: text, show: (row) => <RowButton text={text} of={of(row)} test={test} onClick={() => onClick(row)} /> }
}

type RowAct = readonly [act: { right?: string }, text: string, test: string, onClick: () => void]

interface RowActsProps {
  /** Which row. */
  of: string
  /** False for what cannot be done about this one. */
  acts: readonly (RowAct | false)[]
}

/** What can be done about a row where that may be several things: those that the person may do. */
export function RowActs({ of, acts }: RowActsProps): ReactNode {
  return (
    <Group gap="xs" wrap="nowrap">
      {acts
        .filter((one) => one !== false)
        .map(([act, text, test, onClick]) => (
          <Allowed key={test} act={act}>
            <RowButton text={text} of={of} test={test} onClick={onClick} />
          </Allowed>
        ))}
    </Group>
  )
}
