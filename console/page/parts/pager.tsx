import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.js'

/** How many rows most lists show at once. */
export const PAGE_SIZE = 25

interface PagerProps {
  /** What was read; nothing is shown before. */
  page: { pageInfo: { hasNextPage: boolean; endCursor: string | null } } | null | undefined
  /** The cursor after which it begins; undefined on the first page. */
  after: string | undefined
  go: (after: string | undefined) => void
}

/** The next page, and back to the first; the browser's own button is the way to the one before. */
export function Pager({ page, after, go }: PagerProps): ReactNode {
  const t = useText()
  if (!page) return null
  const isFirst = after === undefined
  const next = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
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
