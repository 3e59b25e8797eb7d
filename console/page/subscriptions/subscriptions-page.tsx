import { NativeSelect, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { subscriptionsQuery } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Loading } from '../parts/loading.js'
import { PageTitle } from '../parts/page-title.js'
import { PAGE_SIZE, Pager } from '../parts/pager.js'
import { SUBSCRIPTION_STATES, subscriptionSearch } from './subscription-search.js'
import { SubscriptionTable } from './subscription-table.js'

const route = getRouteApi('/subscriptions')

/** The subscriptions, newest first. */
export function SubscriptionsPage(): ReactNode {
  const t = useText()
  const { status, order, after } = route.useSearch()
  const navigate = route.useNavigate()
  const filter = { status, orderCode: order }
  const { data, isLoading, error, again } = useGraph(subscriptionsQuery, { first: PAGE_SIZE, after, filter })
  const page = data?.paymentSubscriptions
  const subscriptions = page?.edges.map(({ node }) => node)
  const states = SUBSCRIPTION_STATES.map((value) => ({ value, label: t.subscriptions.states[value] }))
  return (
    <Stack>
      <PageTitle title={t.nav.subscriptions} lead={t.subscriptions.lead} />
      <NativeSelect
        label={t.common.status}
        maw={240}
        data-test="filter-status"
        value={status ?? ''}
        onChange={(event) =>
          void navigate({ search: subscriptionSearch({ order, status: event.currentTarget.value }) })
        }
        data={[{ value: '', label: t.common.all }, ...states]}
      />
      <Loading isLoading={isLoading} error={error} again={again} />
      {subscriptions && <SubscriptionTable subscriptions={subscriptions} />}
      <Pager page={page} after={after} go={(next) => void navigate({ search: { status, order, after: next } })} />
    </Stack>
  )
}
