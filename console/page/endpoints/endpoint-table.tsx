import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import {
  rotateWebhookSecretMutation,
  sendTestWebhookMutation,
  setWebhookAddressMutation,
} from '../generated/operations.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { moment } from '../parts/format.js'
import { RowActs } from '../parts/row-button.js'
import { DataTable } from '../parts/table.js'
import type { ShownEndpoint } from './shown.js'

interface EndpointTableProps {
  endpoints: readonly ShownEndpoint[]
  onAddress: (endpoint: ShownEndpoint) => void
  onSecret: (endpoint: ShownEndpoint) => void
  onTest: (endpoint: ShownEndpoint) => void
}

/** The integrations with their addresses. */
export function EndpointTable({ endpoints, onAddress, onSecret, onTest }: EndpointTableProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  return (
    <DataTable<ShownEndpoint>
      label={t.endpoints.title}
      test="endpoint-list"
      rows={endpoints}
      keyOf={({ publicClientId }) => publicClientId}
      columns={[
        {
          name: t.webhooks.address,
          show: ({ webhookUrl, previousUntil }) => (
            <>
              {webhookUrl === null ? t.common.none : <span className="id">{webhookUrl}</span>}
              {previousUntil !== null && Date.parse(previousUntil) > Date.now() && (
                <Text size="xs" data-test="old-secret">
                  {t.endpoints.oldSecret} {moment(previousUntil, language)}
                </Text>
              )}
            </>
          ),
        },
        {
          name: t.people.acts,
          show: (endpoint) => (
            <RowActs
              of={endpoint.publicClientId}
              acts={[
                [setWebhookAddressMutation, t.endpoints.change, 'change-address', () => onAddress(endpoint)],
                [rotateWebhookSecretMutation, t.endpoints.newSecret, 'new-secret', () => onSecret(endpoint)],
                [sendTestWebhookMutation, t.webhooks.test, 'send-test', () => onTest(endpoint)],
              ]}
            />
          ),
        },
        { name: 'public_client_id', show: ({ publicClientId }) => <span className="id">{publicClientId}</span> },
        { name: t.endpoints.isDefault, show: ({ isDefault }) => (isDefault ? t.common.yes : t.common.no) },
      ]}
    />
  )
}
