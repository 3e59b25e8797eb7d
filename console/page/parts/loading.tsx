import { Loader } from '@mantine/core'
import type { CombinedError } from '@urql/core'
import type { ReactNode } from 'react'
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
  const [problem] = error.graphQLErrors
  const code = problem?.extensions['code']
  const refused = problem
    ? { code: typeof code === 'string' ? code : 'SERVER_ERROR', message: problem.message }
    : { code: 'UNREACHABLE', message: error.message }
  return <Refusal refused={refused} again={again} />
}
