import { Button, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { deliveriesQuery } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Loading } from '../parts/loading.js'
import { Section } from '../parts/section.js'
import { DeliveryList } from './delivery-list.js'

/** Most payments have fewer; what is asked for counts, found or not. */
const [FEW, MANY] = [10, 100]

/** The events of a payment that were sent to its tenant. @param sequence where the payment is: later, there are more */
export function PaymentDeliveries({ paymentId, sequence }: { paymentId: string; sequence: number }): ReactNode {
  const t = useText()
  const [first, setFirst] = useState(FEW)
  const { data, isLoading, error, again, quietly } = useGraph(deliveriesQuery, { first, resourceId: paymentId })
  const more = useEffectEvent(quietly)
  const [shown, setShown] = useState(sequence)
  useEffect(() => {
    // What was just asked for is not asked for again.
    if (sequence !== shown) more()
    setShown(sequence)
  }, [sequence])
  const deliveries = data?.webhookDeliveries?.edges.map(({ node }) => node)
  return (
    <Section title={t.payment.deliveries} test="deliveries">
      <Loading isLoading={isLoading} error={error} again={again} />
      {deliveries?.length === 0 && <Text size="sm">{t.webhooks.nothing}</Text>}
      {deliveries && deliveries.length > 0 && (
        <DeliveryList deliveries={deliveries} onReplay={again} onWait={quietly} />
      )}
      {first === FEW && data?.webhookDeliveries?.pageInfo.hasNextPage && (
        <div>
          <Button variant="default" size="compact-sm" onClick={() => setFirst(MANY)} data-test="more-deliveries">
            {t.payment.moreDeliveries}
          </Button>
        </div>
      )}
    </Section>
  )
}
