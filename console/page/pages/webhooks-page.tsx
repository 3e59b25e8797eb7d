import { Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Endpoints } from '../endpoints/endpoints.js'
import { RegisteredEndpoints } from '../endpoints/registered-endpoints.js'
import { deliveriesQuery, webhookEndpointsQuery } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { usePaymentChanges } from '../graph/use-live.js'
import { useText } from '../messages/use-text.js'
import { Loading } from '../parts/loading.js'
import { Pager } from '../parts/pager.js'
import { DeliveryList } from './delivery-list.js'
import { DELIVERY_STATES, deliverySearch } from './delivery-search.js'

const route = getRouteApi('/webhooks')
const PAGE_SIZE = 25

/** Where events go, and what was sent there, newest first. */
export function WebhooksPage(): ReactNode {
  const t = useText()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data, isLoading, error, again, quietly } = useGraph(deliveriesQuery, { first: PAGE_SIZE, ...search })
  const asked = useGraph(webhookEndpointsQuery, {})
  usePaymentChanges(quietly)
  const page = data?.webhookDeliveries
  const endpoints = (asked.data?.webhookEndpoints ?? []).map(({ id, url, description }) => ({
    value: id,
    label: description ?? url,
  }))
  const choices = DELIVERY_STATES.map((value) => ({ value, label: t.webhooks.state[value] }))
  return (
    <Stack>
      <Title order={1} size="h2">
        {t.webhooks.title}
      </Title>
      <Endpoints onSent={again} />
      <RegisteredEndpoints asked={asked} onSent={again} />
      <Text>{t.webhooks.lead}</Text>
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
        {endpoints.length > 0 && (
          <NativeSelect
            label={t.moreEndpoints.endpoint}
            data-test="filter-endpoint"
            value={search.endpointId ?? ''}
            onChange={(event) =>
              void navigate({
                search: deliverySearch({ ...search, after: undefined, endpointId: event.currentTarget.value }),
              })
            }
            data={[{ value: '', label: t.common.all }, ...endpoints]}
          />
        )}
      </Group>
      <Loading isLoading={isLoading} error={error} again={again} />
      {page?.edges.length === 0 && <Text>{t.webhooks.nothing}</Text>}
      {page && page.edges.length > 0 && (
        <DeliveryList deliveries={page.edges.map(({ node }) => node)} onChange={again} />
      )}
      {page && (
        <Pager
          isFirst={search.after === undefined}
          next={page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null}
          go={(after) => void navigate({ search: { ...search, after } })}
        />
      )}
    </Stack>
  )
}
