import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import {
  deleteWebhookEndpointMutation,
  rotateWebhookEndpointSecretMutation,
  sendTestWebhookMutation,
  updateWebhookEndpointMutation,
} from '../generated/operations.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { moment } from '../parts/format.js'
import { RowActs } from '../parts/row-button.js'
import { StatusBadge } from '../parts/status-badge.js'
import { DataTable } from '../parts/table.js'
import type { RegisteredEndpoint } from './shown.js'

/** What can be done about an endpoint. */
export type EndpointAct = 'change' | 'secret' | 'test' | 'off' | 'on' | 'remove'

const MUTATION = {
  change: updateWebhookEndpointMutation,
  secret: rotateWebhookEndpointSecretMutation,
  test: sendTestWebhookMutation,
  off: updateWebhookEndpointMutation,
  on: updateWebhookEndpointMutation,
  remove: deleteWebhookEndpointMutation,
} as const

interface RegisteredTableProps {
  endpoints: readonly RegisteredEndpoint[]
  onAct: (act: EndpointAct, endpoint: RegisteredEndpoint) => void
}

/** The endpoints beside the contract's address. */
export function RegisteredTable({ endpoints, onAct }: RegisteredTableProps): ReactNode {
  const t = useText()
  return (
    <DataTable<RegisteredEndpoint>
      label={t.moreEndpoints.title}
      test="registered-list"
      rows={endpoints}
      keyOf={({ id }) => id}
      nothing={<Text size="sm">{t.moreEndpoints.nothing}</Text>}
      columns={[
        { name: t.webhooks.address, show: (endpoint) => <Address endpoint={endpoint} /> },
        { name: t.moreEndpoints.state, show: (endpoint) => <State endpoint={endpoint} /> },
        {
          name: t.people.acts,
          show: (endpoint) => {
            const act = (name: EndpointAct, text: string) =>
              [MUTATION[name], text, `endpoint-${name}`, () => onAct(name, endpoint)] as const
            return (
              <RowActs
                of={endpoint.url}
                acts={[
                  act('change', t.moreEndpoints.change),
                  act('secret', t.endpoints.newSecret),
                  endpoint.isEnabled && act('test', t.webhooks.test),
                  endpoint.isEnabled ? act('off', t.moreEndpoints.off) : act('on', t.moreEndpoints.on),
                  act('remove', t.moreEndpoints.remove),
                ]}
              />
            )
          },
        },
        { name: t.moreEndpoints.events, show: ({ eventTypes }) => eventTypes?.join(', ') ?? t.moreEndpoints.all },
      ]}
    />
  )
}

function Address({ endpoint }: { endpoint: RegisteredEndpoint }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { url, description, previousUntil } = endpoint
  return (
    <>
      {description !== null && <Text size="sm">{description}</Text>}
      <span className="id">{url}</span>
      {previousUntil !== null && Date.parse(previousUntil) > Date.now() && (
        <Text size="xs" data-test="old-endpoint-secret">
          {t.endpoints.oldSecret} {moment(previousUntil, language)}
        </Text>
      )}
    </>
  )
}

function State({ endpoint: { isEnabled, failingSince } }: { endpoint: RegisteredEndpoint }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const state = !isEnabled ? 'OFF' : failingSince === null ? 'ON' : 'FAILING'
  return (
    <>
      <StatusBadge status={state} text={t.moreEndpoints.states[state]} />
      {state === 'FAILING' && failingSince !== null && (
        <Text size="xs">
          {t.moreEndpoints.failingSince} {moment(failingSince, language)}
        </Text>
      )}
    </>
  )
}
