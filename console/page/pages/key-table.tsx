import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { day, moment } from '../parts/format.js'
import { DataTable } from '../parts/table.js'
import type { ShownKey } from './shown.js'

interface KeyTableProps {
  keys: readonly ShownKey[]
  onRevoke: (key: ShownKey) => void
}

/** What is known of keys; none of them can be read again. */
export function KeyTable({ keys, onRevoke }: KeyTableProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const orNever = (at: string | null): string => (at === null ? t.keys.never : moment(at, language))
  return (
    <DataTable<ShownKey>
      label={t.keys.title}
      test="keys"
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        { name: t.keys.name, show: ({ name }) => name },
        { name: t.keys.prefix, show: ({ prefix }) => <span className="id">{prefix}…</span> },
        { name: t.keys.scopes, show: ({ scopes }) => scopes?.join(', ') ?? t.keys.all },
        { name: t.common.created, show: ({ createdAt }) => day(createdAt, language) },
        { name: t.keys.expires, show: ({ expiresAt }) => orNever(expiresAt) },
        { name: t.keys.lastUsed, show: ({ lastUsedAt }) => orNever(lastUsedAt) },
        {
          name: t.keys.revoked,
          show: (key) =>
            key.revokedAt === null ? (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => onRevoke(key)}
                aria-label={`${t.keys.revoke}: ${key.name}`}
                data-test="revoke-key"
              >
                {t.keys.revoke}
              </Button>
            ) : (
              <span data-test="revoked-at">{moment(key.revokedAt, language)}</span>
            ),
        },
      ]}
    />
  )
}
