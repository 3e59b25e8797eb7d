import { Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { endpointsQuery, rotateWebhookSecretMutation, sendTestWebhookMutation } from '../generated/operations.js'
import { useAct, useGraph, type Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Loading } from '../parts/loading.js'
import { Refusal } from '../parts/refusal.js'
import { Said } from '../parts/said.js'
import { Section } from '../parts/section.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { useProvenAct } from '../session/use-proven-act.js'
import { AddressDialog } from './address-dialog.js'
import { EndpointTable } from './endpoint-table.js'
import { SecretDialog } from './secret-dialog.js'
import { TEST_EVENT, type ShownEndpoint } from './shown.js'

type Open = { act: 'address' | 'secret'; endpoint: ShownEndpoint }

/** In the other dialog a secret is made, and shown. */
const isTyped = (open: Open | undefined): boolean => open?.act === 'address'

/** Where events go, and what can be changed about it. @param onSent called where a test event is on its way */
export function Endpoints({ onSent }: { onSent: () => void }): ReactNode {
  const t = useText()
  const [open, setOpen] = useKeptDraft<Open | undefined>('integration', () => undefined, isTyped)
  const [said, setSaid] = useState<{ refused: Refused | undefined }>()
  const { data, isLoading, error, again } = useGraph(endpointsQuery, {})
  const send = useAct(sendTestWebhookMutation)
  const test = async ({ publicClientId }: ShownEndpoint): Promise<void> => {
    const { refused } = await send({ input: { type: TEST_EVENT, publicClientId } })
    setSaid({ refused })
    onSent()
  }
  const rotate = useProvenAct(rotateWebhookSecretMutation)
  const rotated = async ({ publicClientId }: ShownEndpoint, overlapHours: number) => {
    const { data: made, refused } = await rotate({ publicClientId, overlapHours })
    return { secret: made?.rotateWebhookSecret?.rotatedWebhookSecret?.secret, refused }
  }
  const close = (): void => setOpen(undefined)
  return (
    <Section title={t.endpoints.title} test="endpoints">
      <Text size="sm">{t.endpoints.lead}</Text>
      <Loading isLoading={isLoading} error={error} again={again} />
      {data?.account && (
        <EndpointTable
          endpoints={data.account.integrations}
          onAddress={(endpoint) => setOpen({ act: 'address', endpoint })}
          onSecret={(endpoint) => setOpen({ act: 'secret', endpoint })}
          onTest={(endpoint) => void test(endpoint)}
        />
      )}
      <Said text={said && !said.refused ? t.webhooks.tested : undefined} />
      <Refusal refused={said?.refused} />
      {open?.act === 'address' && <AddressDialog endpoint={open.endpoint} onChange={again} onClose={close} />}
      {open?.act === 'secret' && (
        <SecretDialog rotate={(hours) => rotated(open.endpoint, hours)} onChange={again} onClose={close} />
      )}
    </Section>
  )
}
