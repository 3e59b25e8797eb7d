import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { moment } from '../parts/format.js'
import { Nothing } from '../parts/nothing.js'
import { buttonColumn } from '../parts/row-button.js'
import { DataTable } from '../parts/table.js'
import type { ShownPasskey } from './shown.js'

interface PasskeyTableProps {
  passkeys: readonly ShownPasskey[]
  onRename: (passkey: ShownPasskey) => void
  onRemove: (passkey: ShownPasskey) => void
}

/** The passkeys of who looks, newest first. */
export function PasskeyTable({ passkeys, onRename, onRemove }: PasskeyTableProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  return (
    <DataTable<ShownPasskey>
      label={t.nav.passkeys}
      test="passkeys"
      rows={passkeys}
      keyOf={({ id }) => id}
      nothing={<Nothing text={t.passkeys.nothing} test="no-passkeys" />}
      columns={[
        { name: t.common.name, show: ({ name }) => <span className="wrap">{name}</span> },
        buttonColumn(t.passkeys.rename, ({ name }) => name, 'rename-passkey', onRename),
        buttonColumn(t.common.remove, ({ name }) => name, 'remove-passkey', onRemove),
        {
          name: t.common.lastUsed,
          show: ({ lastUsedAt }) => (lastUsedAt === null ? t.common.never : moment(lastUsedAt, language)),
        },
        { name: t.passkeys.created, show: ({ createdAt }) => moment(createdAt, language) },
      ]}
    />
  )
}
