import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { disputesQuery, type DisputesResult } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { usePaymentChanges } from '../graph/use-live.js'
import { useText } from '../messages/use-text.js'
import { spoken } from '../parts/format.js'
import { Loading } from '../parts/loading.js'
import { Nothing } from '../parts/nothing.js'
import { PAGE_SIZE, Pager } from '../parts/pager.js'
import { Section } from '../parts/section.js'
import { StatusBadge } from '../parts/status-badge.js'
import { DataTable } from '../parts/table.js'
import { useReturnedColumns } from './use-returned-columns.js'

type Dispute = NonNullable<DisputesResult['disputes']>['edges'][number]['node']

const route = getRouteApi('/refunds')

/** What payers' banks took back, newest first. */
export function Disputes(): ReactNode {
  const t = useText()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data, isLoading, error, again, quietly } = useGraph(disputesQuery, {
    first: PAGE_SIZE,
    after: search.afterDispute,
  })
  usePaymentChanges(quietly)
  const columns = useReturnedColumns<Dispute>(
    ({ status }) => <StatusBadge status={status} text={t.refunds.states[status]} />,
    ({ reason }) => spoken(reason, t.words),
  )
  const page = data?.disputes
  return (
    <Section title={t.refunds.disputes} test="dispute-section">
      <Loading isLoading={isLoading} error={error} again={again} />
      {page && (
        <DataTable<Dispute>
          label={t.refunds.disputes}
          test="dispute-list"
          rows={page.edges.map(({ node }) => node)}
          keyOf={({ id }) => id}
          nothing={<Nothing text={t.refunds.noDisputes} test="no-disputes" />}
          columns={columns}
        />
      )}
      <Pager
        page={page}
        after={search.afterDispute}
        go={(afterDispute) => void navigate({ search: { ...search, afterDispute } })}
      />
    </Section>
  )
}
