import { Alert, Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { deliveriesQuery, sendTestWebhookMutation } from '../generated/operations.js'
import { useAct, useGraph, type Refused } from '../graph/use-graph.js'
import { usePaymentChanges } from '../graph/use-live.js'
import { useText } from '../messages/use-text.js'
import { Loading } from '../parts/loading.js'
import { Pager } from '../parts/pager.js'
import { Refusal } from '../parts/refusal.js'
import { DeliveryList } from './delivery-list.js'
import { DELIVERY_STATES, deliverySearch } from './delivery-search.js'

const route = getRouteApi('/webhooks')
const PAGE_SIZE = 25
/** An event that every tenant gets; the others have the same form. */
const TEST_EVENT = 'payment.success'

/** What was sent to the tenant's addresses, newest first. */
export function WebhooksPage(): ReactNode {
  const t = useText()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data, isLoading, error, again } = useGraph(deliveriesQuery, { first: PAGE_SIZE, ...search })
  usePaymentChanges(again)
  const page = data?.webhookDeliveries
  const choices = DELIVERY_STATES.map((value) => ({ value, label: t.webhooks.state[value] }))
  return (
    <Stack>
      <Title order={1} size="h2">
        {t.webhooks.title}
      </Title>
      <Text>{t.webhooks.lead}</Text>
      <Group align="end">
        <NativeSelect
          label={t.common.status}
          data-test="filter-state"
          value={search.state ?? ''}
          onChange={(event) => void navigate({ search: deliverySearch({ state: event.currentTarget.value }) })}
          data={[{ value: '', label: t.common.all }, ...choices]}
        />
        <SendTest onSent={again} />
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

function SendTest({ onSent }: { onSent: () => void }): ReactNode {
  const t = useText()
  const send = useAct(sendTestWebhookMutation)
  const [said, setSaid] = useState<{ refused: Refused | undefined }>()
  const go = async (): Promise<void> => {
    const { refused } = await send({ input: { type: TEST_EVENT } })
    setSaid({ refused })
    onSent()
  }
  return (
    <>
      <Button variant="default" onClick={() => void go()} data-test="send-test">
        {t.webhooks.test}
      </Button>
      {said && !said.refused && (
        <Alert role="status" color="green" variant="outline" p="xs" data-test="said">
          {t.webhooks.tested}
        </Alert>
      )}
      <Refusal refused={said?.refused} />
    </>
  )
}
