import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import { DayFields } from '../parts/day-fields.js'
import { SearchField } from '../parts/search-field.js'
import { auditSearch, type AuditSearch } from './audit-search.js'

interface AuditFiltersProps {
  search: AuditSearch
  onChange: (search: AuditSearch) => void
}

/** What the log is narrowed to: an operation by its name, days; a person, a key or a tenant by a click on it in the list. */
export function AuditFilters({ search, onChange }: AuditFiltersProps): ReactNode {
  const t = useText()
  const { operation, who, tenant, from, to } = search
  const clicked = [
    [t.audit.onlyWho, who],
    [t.audit.onlyTenant, tenant],
  ].filter(([, id]) => id !== undefined)
  return (
    <Group align="end" gap="sm" role="search">
      <SearchField
        key={operation}
        label={t.audit.operation}
        hint={t.audit.operationHint}
        text={operation ?? ''}
        test="filter-operation"
        onSend={(text) => onChange(auditSearch({ ...search, after: undefined, operation: text }))}
      />
      <DayFields
        days={search}
        onChange={(change) => onChange(auditSearch({ ...search, after: undefined, ...change }))}
      />
      {clicked.map(([name, id]) => (
        <Text key={name} size="sm" data-test="narrowed">
          {name} <span className="id">{id}</span>
        </Text>
      ))}
      {(operation !== undefined || from !== undefined || to !== undefined || clicked.length > 0) && (
        <Button variant="subtle" onClick={() => onChange({})} data-test="filter-clear">
          {t.common.clear}
        </Button>
      )}
    </Group>
  )
}
