import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { refundsQuery, type RefundsResult } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { usePaymentChanges } from '../graph/use-live.js'
import { useText } from '../messages/use-text.js'
import { Loading } from '../parts/loading.js'
import { Nothing } from '../parts/nothing.js'
import { PAGE_SIZE, Pager } from '../parts/pager.js'
import { Section } from '../parts/section.js'
import { StatusBadge } from '../parts/status-badge.js'
import { DataTable } from '../parts/table.js'
import { useReturnedColumns } from './use-returned-columns.js'

type Refund = NonNullable<RefundsResult['refunds']>['edges'][number]['node']

const route = getRouteApi('/refunds')

/** What was given back of all payments, newest first. */
export function Refunds(): ReactNode {
  const t = useText()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data, isLoading, error, again, quietly } = useGraph(refundsQuery, { first: PAGE_SIZE, after: search.after })
  usePaymentChanges(quietly)
  const columns = useReturnedColumns<Refund>(
    ({ status }) => <StatusBadge status={status} text={t.refundStatus[status]} />,
    ({ reason, isMadeAtProvider }) =>
      isMadeAtProvider ? t.refunds.elsewhere : reason ? t.reasons[reason] : t.refunds.unsaid,
  )
  const page = data?.refunds
  return (
    <Section title={t.payment.refunds} test="refund-section">
      <Loading isLoading={isLoading} error={error} again={again} />
      {page && (
        <DataTable<Refund>
          label={t.payment.refunds}
          test="refund-list"
          rows={page.edges.map(({ node }) => node)}
          keyOf={({ id }) => id}
          nothing={<Nothing text={t.refunds.nothing} test="no-refunds" />}
          columns={columns}
        />
      )}
      <Pager page={page} after={search.after} go={(after) => void navigate({ search: { ...search, after } })} />
    </Section>
  )
}
