import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paymentReturnsQuery, type PaymentReturnsResult } from '../generated/operations.js'
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

type Return = NonNullable<PaymentReturnsResult['paymentReturns']>['edges'][number]['node']

const route = getRouteApi('/refunds')

/** What came for payments, was not taken and goes back, newest first. */
export function PaymentReturns(): ReactNode {
  const t = useText()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data, isLoading, error, again, quietly } = useGraph(paymentReturnsQuery, {
    first: PAGE_SIZE,
    after: search.afterReturn,
  })
  usePaymentChanges(quietly)
  const columns = useReturnedColumns<Return>(
    ({ status }) => <StatusBadge status={status} text={t.refundStatus[status]} />,
    ({ reason }) => spoken(reason, t.words),
  )
  const page = data?.paymentReturns
  return (
    <Section title={t.refunds.returns} test="return-section">
      <Loading isLoading={isLoading} error={error} again={again} />
      {page && (
        <DataTable<Return>
          label={t.refunds.returns}
          test="return-list"
          rows={page.edges.map(({ node }) => node)}
          keyOf={({ id }) => id}
          nothing={<Nothing text={t.refunds.noReturns} test="no-returns" />}
          columns={columns}
        />
      )}
      <Pager
        page={page}
        after={search.afterReturn}
        go={(afterReturn) => void navigate({ search: { ...search, afterReturn } })}
      />
    </Section>
  )
}
