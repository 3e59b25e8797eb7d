import { Group, Stack, Text, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paymentsQuery } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { usePaymentChanges } from '../graph/use-live.js'
import { useText } from '../messages/use-text.js'
import { Loading } from '../parts/loading.js'
import { Pager } from '../parts/pager.js'
import { FirstSteps } from './first-steps.js'
import { PaymentExport } from './payment-export.js'
import { PaymentFilters } from './payment-filters.js'
import { isFiltered, paymentVariables, type PaymentSearch } from './payment-search.js'
import { PaymentTable } from './payment-table.js'

const route = getRouteApi('/')

/** The payments, newest first; what changes in another window changes here. */
export function PaymentsPage(): ReactNode {
  const t = useText()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data, isLoading, error, again, quietly } = useGraph(paymentsQuery, paymentVariables(search))
  usePaymentChanges(quietly)
  const page = data?.payments
  const go = (next: PaymentSearch): void => void navigate({ search: next })
  const isEmpty = page?.edges.length === 0
  const isFirstTime = isEmpty && !isFiltered(search) && search.after === undefined
  return (
    <Stack>
      <Group justify="space-between" align="baseline">
        <Title order={1} size="h2">
          {t.payments.title}
        </Title>
        <Group>
          <Text size="sm">{t.payments.live}</Text>
          {page && !isEmpty && <PaymentExport search={search} />}
        </Group>
      </Group>
      {!isFirstTime && <PaymentFilters search={search} onChange={go} />}
      <Loading isLoading={isLoading} error={error} again={again} />
      {isFirstTime && <FirstSteps />}
      {isEmpty && !isFirstTime && <Text>{t.payments.nothing}</Text>}
      {page && !isEmpty && <PaymentTable payments={page.edges.map(({ node }) => node)} />}
      {page && (
        <Pager
          isFirst={search.after === undefined}
          next={page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null}
          go={(after) => go({ ...search, after })}
        />
      )}
    </Stack>
  )
}
