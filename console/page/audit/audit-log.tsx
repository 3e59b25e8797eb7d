import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { auditLogQuery } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { CsvExport } from '../parts/csv-export.js'
import { Loading } from '../parts/loading.js'
import { PageTitle } from '../parts/page-title.js'
import { Pager } from '../parts/pager.js'
import { AUDIT_HEADING, auditCsv } from './audit-csv.js'
import { AuditFilters } from './audit-filters.js'
import { auditVariables, type AuditSearch } from './audit-search.js'
import { AuditTable } from './audit-table.js'

interface AuditLogProps {
  search: AuditSearch
  onChange: (search: AuditSearch) => void
  /** Whether each act says in which tenant it was done. */
  isOfAll?: boolean
}

/** What was done, newest first, as a list and as a file. */
export function AuditLog({ search, onChange, isOfAll = false }: AuditLogProps): ReactNode {
  const t = useText()
  const variables = auditVariables(search)
  const { data, isLoading, error, again } = useGraph(auditLogQuery, variables)
  const page = data?.auditLog
  const entries = page?.edges.map(({ node }) => node)
  return (
    <Stack>
      <PageTitle title={t.nav.audit} lead={t.audit.lead}>
        <CsvExport
          fileName="audit-log.csv"
          heading={AUDIT_HEADING}
          document={auditLogQuery}
          variables={{ filter: variables.filter }}
          pageOf={({ auditLog }) => auditLog}
          lineOf={auditCsv}
        />
      </PageTitle>
      <AuditFilters search={search} onChange={onChange} />
      <Loading isLoading={isLoading} error={error} again={again} />
      {entries && (
        <AuditTable
          entries={entries}
          isOfAll={isOfAll}
          onNarrow={(more) => onChange({ ...search, ...more, after: undefined })}
        />
      )}
      <Pager page={page} after={search.after} go={(after) => onChange({ ...search, after })} />
    </Stack>
  )
}
