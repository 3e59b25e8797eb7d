import type { ReactNode } from 'react'
import { revokeApiKeyMutation } from '../generated/operations.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { day, moment } from '../parts/format.js'
import { Nothing } from '../parts/nothing.js'
import { RowButton } from '../parts/row-button.js'
import { DataTable } from '../parts/table.js'
import { Allowed } from '../session/allowed.js'
import type { ShownKey } from './shown.js'

interface KeyTableProps {
  keys: readonly ShownKey[]
  onRevoke: (key: ShownKey) => void
}

/** What is known of keys; none of them can be read again. */
export function KeyTable({ keys, onRevoke }: KeyTableProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const orNever = (at: string | null): string => (at === null ? t.common.never : moment(at, language))
  return (
    <DataTable<ShownKey>
      label={t.nav.keys}
      test="keys"
      rows={keys}
      keyOf={({ id }) => id}
      nothing={<Nothing text={t.keys.nothing} />}
      columns={[
        { name: t.common.name, show: ({ name }) => name },
        { name: t.keys.prefix, show: ({ prefix }) => <span className="id">{prefix}…</span> },
        { name: t.keys.scopes, show: ({ scopes }) => scopes?.join(', ') ?? t.keys.all },
        { name: t.common.created, show: ({ createdAt }) => day(createdAt, language) },
        { name: t.keys.expires, show: ({ expiresAt }) => orNever(expiresAt) },
        { name: t.common.lastUsed, show: ({ lastUsedAt }) => orNever(lastUsedAt) },
        {
          name: t.keys.revoked,
          show: (key) =>
            key.revokedAt === null ? (
              <Allowed act={revokeApiKeyMutation}>
                <RowButton text={t.keys.revoke} of={key.name} test="revoke-key" onClick={() => onRevoke(key)} />
              </Allowed>
            ) : (
              <span data-test="revoked-at">{moment(key.revokedAt, language)}</span>
            ),
        },
      ]}
    />
  )
}
