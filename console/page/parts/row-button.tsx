import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

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
