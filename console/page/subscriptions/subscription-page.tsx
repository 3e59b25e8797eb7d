import { Group, SimpleGrid, Stack, Text, Timeline, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { subscriptionQuery } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { PaymentTable } from '../pages/payment-table.js'
import { moment } from '../parts/format.js'
import { RoutedAnchor } from '../parts/links.js'
import { Loading } from '../parts/loading.js'
import { PAGE_SIZE, Pager } from '../parts/pager.js'
import { Section } from '../parts/section.js'
import { StatusBadge } from '../parts/status-badge.js'
import type { ShownSubscription } from './shown.js'
import { SubscriptionActs } from './subscription-acts.js'
import { SubscriptionTerms } from './subscription-terms.js'

const route = getRouteApi('/subscriptions/$id')

/** A subscription's life and its payments, and the ways to pause and end it. */
export function SubscriptionPage(): ReactNode {
  const t = useText()
  const { id } = route.useParams()
  const { after } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, isLoading, error, again } = useGraph(subscriptionQuery, { id, first: PAGE_SIZE, after })
  const subscription = data?.paymentSubscription
  const page = subscription?.payments
  return (
    <Stack>
      <RoutedAnchor to="/subscriptions" size="sm">
        ← {t.nav.subscriptions}
      </RoutedAnchor>
      <Loading isLoading={isLoading} error={error} again={again} />
      {data && !subscription && !error && <Text>{t.subscriptions.missing}</Text>}
      {subscription && (
        <>
          <Group justify="space-between">
            <Group>
              <Title order={1} size="h2">
                {subscription.planName}
              </Title>
              <StatusBadge status={subscription.status} text={t.subscriptions.states[subscription.status]} />
            </Group>
            <SubscriptionActs subscription={subscription} onDone={again} />
          </Group>
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <SubscriptionTerms subscription={subscription} />
            <SubscriptionHistory events={subscription.events} />
          </SimpleGrid>
          <Section title={t.nav.payments}>
            {page && <PaymentTable payments={page.edges.map(({ node }) => node)} />}
          </Section>
          <Pager page={page} after={after} go={(next) => void navigate({ search: { after: next } })} />
        </>
      )}
    </Stack>
  )
}

function SubscriptionHistory({ events }: { events: ShownSubscription['events'] }): ReactNode {
  const t = useText()
  const entries = events?.edges ?? []
  const { language } = useLanguage()
  return (
    <Section title={t.payment.timeline} test="history">
      <Timeline bulletSize={14} lineWidth={2} active={entries.length - 1}>
        {entries.map(({ node: { sequence, kind, createdAt } }) => (
          <Timeline.Item key={sequence} title={t.subscriptionEvents[kind]}>
            <Text size="xs">{moment(createdAt, language)}</Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Section>
  )
}
