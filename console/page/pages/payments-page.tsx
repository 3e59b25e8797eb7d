import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paymentsQuery } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { usePaymentChanges } from '../graph/use-live.js'
import { useText } from '../messages/use-text.js'
import { CsvExport } from '../parts/csv-export.js'
import { Loading } from '../parts/loading.js'
import { Nothing } from '../parts/nothing.js'
import { PageTitle } from '../parts/page-title.js'
import { Pager } from '../parts/pager.js'
import { FirstSteps } from './first-steps.js'
import { PAYMENTS_HEADING, paymentCsv } from './payment-csv.js'
import { PaymentFilters } from './payment-filters.js'
import { isFiltered, paymentVariables, type PaymentSearch } from './payment-search.js'
import { PaymentTable } from './payment-table.js'

const route = getRouteApi('/')

/** The payments, newest first; what changes in another window changes here. */
export function PaymentsPage(): ReactNode {
  const t = useText()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const variables = paymentVariables(search)
  const { data, isLoading, error, again, quietly } = useGraph(paymentsQuery, variables)
  usePaymentChanges(quietly)
  const page = data?.payments
  const go = (next: PaymentSearch): void => void navigate({ search: next })
  const isEmpty = page?.edges.length === 0
  const isFirstTime = isEmpty && !isFiltered(search) && search.after === undefined
  return (
    <Stack>
      <PageTitle title={t.nav.payments} lead={t.payments.live}>
        {page && !isEmpty && (
          <CsvExport
            fileName="payments.csv"
            heading={PAYMENTS_HEADING}
            document={paymentsQuery}
            variables={{ filter: variables.filter }}
            pageOf={({ payments }) => payments}
            lineOf={paymentCsv}
          />
        )}
      </PageTitle>
      {!isFirstTime && <PaymentFilters search={search} onChange={go} />}
      <Loading isLoading={isLoading} error={error} again={again} />
      {isFirstTime && <FirstSteps />}
      {isEmpty && !isFirstTime && <Nothing text={t.payments.nothing} />}
      {page && !isEmpty && <PaymentTable payments={page.edges.map(({ node }) => node)} />}
      <Pager page={page} after={search.after} go={(after) => go({ ...search, after })} />
    </Stack>
  )
}
