import { Loader } from '@mantine/core'
import type { CombinedError } from '@urql/core'
import type { ReactNode } from 'react'
import { refusedBy } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Refusal } from './refusal.js'

interface LoadingProps {
  isLoading: boolean
  error: CombinedError | undefined
  again: () => void
}

/** What is said of a query that has not answered, or not well. */
export function Loading({ isLoading, error, again }: LoadingProps): ReactNode {
  const t = useText()
  if (isLoading) return <Loader size="sm" role="status" aria-label={t.loading} />
  if (!error) return null
  // Which field of a question is wrong says nothing to who looks at a page.
  return <Refusal refused={{ ...refusedBy(error), field: undefined }} again={again} />
}
