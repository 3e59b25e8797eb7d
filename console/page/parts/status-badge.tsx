import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'

const COLORS: Readonly<Record<string, string>> = {
  SUCCESS: 'green',
  SUCCEEDED: 'green',
  DELIVERED: 'green',
  ERROR: 'red',
  FAILED: 'red',
  REPROVED: 'orange',
  PENDING: 'blue',
}

/** Where something stands, in words; the colour says nothing that the word does not. */
export function StatusBadge({ status, text }: { status: string; text: string }): ReactNode {
  return (
    <Badge variant="outline" color={COLORS[status] ?? 'gray'} autoContrast data-test="status" data-status={status}>
      {text}
    </Badge>
  )
}
