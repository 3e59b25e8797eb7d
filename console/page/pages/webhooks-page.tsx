import { Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Endpoints } from '../endpoints/endpoints.js'
import { RegisteredEndpoints } from '../endpoints/registered-endpoints.js'
import { deliveriesQuery, webhookEndpointsQuery } from '../generated/operations.js'
import { OwnRows } from '../graph/asking.js'
import { useGraph } from '../graph/use-graph.js'
import { usePaymentChanges } from '../graph/use-live.js'
import { useText } from '../messages/use-text.js'
import { Loading } from '../parts/loading.js'
import { Nothing } from '../parts/nothing.js'
import { PageTitle } from '../parts/page-title.js'
import { PAGE_SIZE, Pager } from '../parts/pager.js'
import { DeliveryList } from './delivery-list.js'
import { DELIVERY_STATES, deliverySearch } from './delivery-search.js'

const route = getRouteApi('/webhooks')

/** Where events go, and what was sent there, newest first. */
export function WebhooksPage(): ReactNode {
  const t = useText()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data, isLoading, error, again, quietly } = useGraph(deliveriesQuery, { first: PAGE_SIZE, ...search })
  usePaymentChanges(quietly)
  const page = data?.webhookDeliveries
  const choices = DELIVERY_STATES.map((value) => ({ value, label: t.webhooks.state[value] }))
  return (
    <Stack>
      <PageTitle title={t.nav.webhooks} />
      <OwnRows>
        <Endpoints onSent={again} />
      </OwnRows>
      <OwnRows>
        <RegisteredEndpoints onSent={again} />
      </OwnRows>
      <div>
        <Title order={2} size="h4">
          {t.webhooks.deliveries}
        </Title>
        <Text size="sm" c="dimmed">
          {t.webhooks.lead}
        </Text>
      </div>
      <Group align="end">
        <NativeSelect
          label={t.common.status}
          data-test="filter-state"
          value={search.state ?? ''}
          onChange={(event) =>
            void navigate({ search: deliverySearch({ ...search, after: undefined, state: event.currentTarget.value }) })
          }
          data={[{ value: '', label: t.common.all }, ...choices]}
        />
        <OwnRows>
          <EndpointFilter
            endpointId={search.endpointId}
            onChange={(endpointId) =>
              void navigate({ search: deliverySearch({ ...search, after: undefined, endpointId }) })
            }
          />
        </OwnRows>
      </Group>
      <Loading isLoading={isLoading} error={error} again={again} />
      {page?.edges.length === 0 && <Nothing text={t.webhooks.nothing} />}
      {page && page.edges.length > 0 && (
        <DeliveryList deliveries={page.edges.map(({ node }) => node)} onReplay={again} onWait={quietly} />
      )}
      <Pager page={page} after={search.after} go={(after) => void navigate({ search: { ...search, after } })} />
    </Stack>
  )
}

/** Which endpoint's deliveries are shown; nothing where there is but the contract's address. @param onChange is called with '' for all */
function EndpointFilter({
  endpointId = '',
  onChange,
}: {
  endpointId: string | undefined
  onChange: (endpointId: string) => void
}): ReactNode {
  const t = useText()
  const endpoints = useGraph(webhookEndpointsQuery, {}).data?.webhookEndpoints ?? []
  if (endpoints.length === 0) return null
  return (
    <NativeSelect
      label={t.moreEndpoints.endpoint}
      data-test="filter-endpoint"
      value={endpointId}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        { value: '', label: t.common.all },
        ...endpoints.map(({ id, url, description }) => ({ value: id, label: description ?? url })),
      ]}
    />
  )
}
