import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.js'

interface PagerProps {
  isFirst: boolean
  /** The cursor of what comes next; null on the last page. */
  next: string | null
  go: (after: string | undefined) => void
}

/** The next page, and back to the first; the browser's own button is the way to the one before. */
export function Pager({ isFirst, next, go }: PagerProps): ReactNode {
  const t = useText()
  if (isFirst && next === null) return null
  return (
    <Group>
      {!isFirst && (
        <Button variant="default" size="xs" onClick={() => go(undefined)} data-test="first-page">
          {t.common.first}
        </Button>
      )}
      {next !== null && (
        <Button variant="default" size="xs" onClick={() => go(next)} data-test="next-page">
          {t.common.next}
        </Button>
      )}
    </Group>
  )
}
