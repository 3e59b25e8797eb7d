import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { moment } from '../parts/format.js'
import { Nothing } from '../parts/nothing.js'
import { DataTable } from '../parts/table.js'
import type { AuditSearch } from './audit-search.js'
import { Outcome } from './outcome.js'
import type { ShownEntry } from './shown.js'

interface AuditTableProps {
  entries: readonly ShownEntry[]
  isOfAll: boolean
  onNarrow: (search: AuditSearch) => void
}

/** The acts of a page. A click on what was done, on a person or a tenant shows those alone. */
export function AuditTable({ entries, isOfAll, onNarrow }: AuditTableProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const tenant = {
    name: t.changeTenant,
    show: ({ tenantId }: ShownEntry) =>
      tenantId !== null && <Narrow text={tenantId} onClick={() => onNarrow({ tenant: tenantId })} />,
  }
  return (
    <DataTable<ShownEntry>
      label={t.nav.audit}
      test="audit"
      rows={entries}
      keyOf={({ id }) => id}
      nothing={<Nothing text={t.audit.nothing} test="no-entries" />}
      columns={[
        { name: t.statement.when, show: ({ at }) => moment(at, language) },
        {
          name: t.audit.operation,
          show: ({ operation }) => (
            <>
              {t.operations[operation]}
              <div>
                <Narrow text={operation} onClick={() => onNarrow({ operation })} />
              </div>
            </>
          ),
        },
        {
          name: t.audit.who,
          show: ({ actorId, actorEmail, actorKind }) => (
            <>
              <Narrow text={actorEmail ?? actorId} onClick={() => onNarrow({ who: actorId })} />
              <Text size="xs">{t.audit.kinds[actorKind]}</Text>
            </>
          ),
        },
        { name: t.audit.outcome, show: ({ outcome }) => <Outcome code={outcome} /> },
        ...(isOfAll ? [tenant] : []),
        {
          name: t.common.about,
          show: ({ subjects, resultId }) => (
            <>
              <Subjects of={subjects} />
              {resultId !== null && (
                <div>
                  {t.audit.made} <span className="id">{resultId}</span>
                </div>
              )}
            </>
          ),
        },
        {
          name: t.audit.from,
          show: ({ address, agent, requestId }) => (
            <>
              <div title={agent ?? undefined}>{address}</div>
              <Text size="xs" className="id" title={t.audit.request}>
                {requestId}
              </Text>
            </>
          ),
        },
      ]}
    />
  )
}

function Narrow({ text, onClick }: { text: string; onClick: () => void }): ReactNode {
  const t = useText()
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ta="left"
      className="wrap"
      onClick={onClick}
      aria-label={`${t.audit.only} ${text}`}
      data-test="narrow"
    >
      {text}
    </Anchor>
  )
}

/** The ids that were given, by the names of their arguments. */
function Subjects({ of }: { of: unknown }): ReactNode {
  if (typeof of !== 'object' || of === null) return null
  return Object.entries(of).map(([name, id]) => (
    <div key={name}>
      {name} <span className="id">{String(id)}</span>
    </div>
  ))
}
