import { Button, Group, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import {
  createWebhookEndpointMutation,
  deleteWebhookEndpointMutation,
  rotateWebhookEndpointSecretMutation,
  sendTestWebhookMutation,
  updateWebhookEndpointMutation,
  webhookEndpointsQuery,
} from '../generated/operations.js'
import { refusalOf, useAct, useGraph, type Acted, type Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Confirm } from '../parts/confirm.js'
import { Loading } from '../parts/loading.js'
import { Refusal } from '../parts/refusal.js'
import { Said } from '../parts/said.js'
import { Section } from '../parts/section.js'
import { Allowed } from '../session/allowed.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { useProvenAct } from '../session/use-proven-act.js'
import { EndpointDialog } from './endpoint-dialog.js'
import { MadeSecret } from './made-secret.js'
import { RegisteredTable, type EndpointAct } from './registered-table.js'
import { SecretDialog } from './secret-dialog.js'
import { TEST_EVENT, type RegisteredEndpoint } from './shown.js'

interface RegisteredEndpointsProps {
  /** Called where a test event is on its way, or deliveries have ended. */
  onSent: () => void
}

type Open = { act: 'add' } | { act: Exclude<EndpointAct, 'test' | 'on'>; endpoint: RegisteredEndpoint }

/** In the others nothing is typed. */
const isTyped = (open: Open | undefined): boolean => open?.act === 'add' || open?.act === 'change'

/** The endpoints beside the contract's address, and what can be done about them. */
export function RegisteredEndpoints({ onSent }: RegisteredEndpointsProps): ReactNode {
  const t = useText()
  const [open, setOpen] = useKeptDraft<Open | undefined>('endpoint', () => undefined, isTyped)
  const [made, setMade] = useState<string>()
  const [said, setSaid] = useState<{ text?: string; refused: Refused | undefined }>()
  const send = useAct(sendTestWebhookMutation)
  const update = useProvenAct(updateWebhookEndpointMutation)
  const { data, isLoading, error, again } = useGraph(webhookEndpointsQuery, {})
  const endpoints = data?.webhookEndpoints
  const act = async (asOf: EndpointAct, endpoint: RegisteredEndpoint): Promise<void> => {
    setSaid(undefined)
    if (asOf === 'test') {
      const { refused } = await send({ input: { type: TEST_EVENT, endpointId: endpoint.id } })
      setSaid({ text: t.webhooks.tested, refused })
      onSent()
    } else if (asOf === 'on') {
      const { refused } = await update({ id: endpoint.id, input: { isEnabled: true } })
      setSaid({ refused })
      again()
    } else setOpen({ act: asOf, endpoint })
  }
  const changed = (): void => {
    again()
    onSent()
  }
  return (
    <Section title={t.moreEndpoints.title} test="registered-endpoints">
      <Text size="sm">{t.moreEndpoints.lead}</Text>
      <Loading isLoading={isLoading} error={error} again={again} />
      {endpoints && <RegisteredTable endpoints={endpoints} onAct={(asOf, endpoint) => void act(asOf, endpoint)} />}
      <Said text={said && !said.refused ? said.text : undefined} />
      <Refusal refused={said?.refused} />
      <Allowed act={createWebhookEndpointMutation}>
        <Group>
          <Button variant="default" onClick={() => setOpen({ act: 'add' })} data-test="add-endpoint">
            {t.moreEndpoints.add}
          </Button>
        </Group>
      </Allowed>
      {open && <Opened open={open} onChange={changed} onMade={setMade} onClose={() => setOpen(undefined)} />}
      {made !== undefined && <MadeSecret secret={made} onClose={() => setMade(undefined)} />}
    </Section>
  )
}

interface OpenedProps {
  open: Open
  onChange: () => void
  onMade: (secret: string) => void
  onClose: () => void
}

/** The dialog that is open. */
function Opened({ open, onChange, onMade, onClose }: OpenedProps): ReactNode {
  const t = useText()
  const rotate = useProvenAct(rotateWebhookEndpointSecretMutation)
  const update = useProvenAct(updateWebhookEndpointMutation)
  const remove = useProvenAct(deleteWebhookEndpointMutation)
  const dialog = { onChange, onMade, onClose }
  if (open.act === 'add') return <EndpointDialog endpoint={undefined} {...dialog} />
  const { act, endpoint } = open
  const { id } = endpoint
  if (act === 'change') return <EndpointDialog endpoint={endpoint} {...dialog} />
  if (act === 'secret') {
    const rotated = async (overlapHours: number) => {
      const { data, refused } = await rotate({ id, overlapHours })
      return { secret: data?.rotateWebhookEndpointSecret?.rotatedWebhookSecret?.secret, refused }
    }
    return <SecretDialog rotate={rotated} onChange={onChange} onClose={onClose} />
  }
  const isOff = act === 'off'
  const go = (): Promise<Refused | undefined> =>
    refusalOf<Acted<object>>(isOff ? update({ id, input: { isEnabled: false } }) : remove({ id }), onChange, onClose)
  const { off, offLead, remove: removes, removeLead } = t.moreEndpoints
  return (
    <Confirm
      title={endpoint.url}
      lead={isOff ? offLead : removeLead}
      act={isOff ? off : removes}
      onAct={go}
      onClose={onClose}
    />
  )
}
