import { Anchor, Button, Group } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { registerCheckoutPaymentMutation } from '../generated/operations.js'
import { useAct, type Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { CopyField } from '../parts/copy-field.js'
import { Refusal } from '../parts/refusal.js'
import { Allowed } from '../session/allowed.js'

/** Registers a payment of an order, and shows the link to send to its payer. */
export function PayButton({ orderId }: { orderId: string }): ReactNode {
  const t = useText()
  const register = useAct(registerCheckoutPaymentMutation)
  const [link, setLink] = useState<string>()
  const [refused, setRefused] = useState<Refused>()
  const go = async (): Promise<void> => {
    const acted = await register({ input: { orderCode: orderId } })
    setRefused(acted.refused)
    setLink(acted.data?.registerCheckoutPayment?.payment?.sessionPayment)
  }
  if (link !== undefined)
    return (
      <Group align="end">
        <CopyField label={t.orders.link} value={link} />
        <Anchor href={link} target="_blank" rel="noreferrer" data-test="pay-page">
          {t.orders.payPage}
        </Anchor>
      </Group>
    )
  return (
    <>
      <Allowed act={registerCheckoutPaymentMutation}>
        <Button size="compact-sm" variant="default" onClick={() => void go()} data-test="make-payment">
          {t.orders.firstPayment}
        </Button>
      </Allowed>
      <Refusal refused={refused} />
    </>
  )
}
