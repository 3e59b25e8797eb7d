import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import type { ShownDelivery } from '../pages/shown.js'

type Delivery = Pick<ShownDelivery, 'endpointId' | 'endpoint'>

/** Which endpoint a delivery is for; nothing where it goes to the contract's address. */
export function EndpointName({ of: { endpointId, endpoint } }: { of: Delivery }): ReactNode {
  const t = useText()
  if (endpointId === null) return null
  return (
    <Text size="sm" data-test="delivery-endpoint">
      {endpoint ? (endpoint.description ?? t.moreEndpoints.endpoint) : t.moreEndpoints.gone}
    </Text>
  )
}
