import { Text } from '@mantine/core'
import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { deliveriesQuery } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Loading } from '../parts/loading.js'
import { Section } from '../parts/section.js'
import { DeliveryList } from './delivery-list.js'

/** The events of a payment that were sent to its tenant. @param sequence where the payment is: later, there are more */
export function PaymentDeliveries({ paymentId, sequence }: { paymentId: string; sequence: number }): ReactNode {
  const t = useText()
  const { data, isLoading, error, again, quietly } = useGraph(deliveriesQuery, { first: 50, resourceId: paymentId })
  const more = useEffectEvent(quietly)
  useEffect(() => more(), [sequence])
  const deliveries = data?.webhookDeliveries?.edges.map(({ node }) => node)
  return (
    <Section title={t.payment.deliveries} test="deliveries">
      <Loading isLoading={isLoading} error={error} again={again} />
      {deliveries?.length === 0 && <Text size="sm">{t.webhooks.nothing}</Text>}
      {deliveries && deliveries.length > 0 && (
        <DeliveryList deliveries={deliveries} onReplay={again} onWait={quietly} />
      )}
    </Section>
  )
}
