import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { differencesQuery } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Loading } from '../parts/loading.js'
import { PageTitle } from '../parts/page-title.js'
import { PAGE_SIZE, Pager } from '../parts/pager.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { DifferenceTable } from './difference-table.js'
import { ResolveDialog } from './resolve-dialog.js'
import type { ShownDifference } from './shown.js'
import { StateFilter } from './state-filter.js'

const route = getRouteApi('/operators/differences')

/** What differs between the books and the world, newest first. */
export function DifferencesPage(): ReactNode {
  const t = useText()
  const { state = 'OPEN', after } = route.useSearch()
  const navigate = route.useNavigate()
  const [resolving, setResolving] = useKeptDraft<ShownDifference | undefined>('resolving', () => undefined)
  const { data, isLoading, error, again } = useGraph(differencesQuery, { first: PAGE_SIZE, after, state })
  const page = data?.reconciliationDifferences
  const differences = page?.edges.map(({ node }) => node)
  return (
    <Stack>
      <PageTitle title={t.operators.nav.differences} lead={t.operators.differences.lead} />
      <StateFilter state={state} onChange={(search) => void navigate({ search })} />
      <Loading isLoading={isLoading} error={error} again={again} />
      {differences && <DifferenceTable differences={differences} onResolve={setResolving} />}
      <Pager page={page} after={after} go={(next) => void navigate({ search: { state, after: next } })} />
      {resolving && <ResolveDialog difference={resolving} onDone={again} onClose={() => setResolving(undefined)} />}
    </Stack>
  )
}
