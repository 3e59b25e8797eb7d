import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { operatingQuery, type OperatingResult } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { moment, spoken } from '../parts/format.js'
import { Loading } from '../parts/loading.js'
import { PageTitle } from '../parts/page-title.js'
import { Section } from '../parts/section.js'
import { DataTable } from '../parts/table.js'

/** What waits in the background, and how far the comparisons with the world have come. */
export function JobsPage(): ReactNode {
  const t = useText()
  const { data, isLoading, error, again } = useGraph(operatingQuery, {})
  return (
    <Stack>
      <PageTitle title={t.operators.nav.jobs} lead={t.operators.jobs.lead}>
        <Button variant="default" onClick={again}>
          {t.operators.refresh}
        </Button>
      </PageTitle>
      <Loading isLoading={isLoading} error={error} again={again} />
      {data?.jobs && <Jobs jobs={data.jobs} />}
      {data?.reconciliations && <Reconciliations reconciliations={data.reconciliations} />}
    </Stack>
  )
}

function Jobs({ jobs }: { jobs: NonNullable<OperatingResult['jobs']> }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const texts = t.operators.jobs
  return (
    <Section title={t.operators.nav.jobs} test="jobs">
      <DataTable
        label={t.operators.nav.jobs}
        rows={jobs}
        keyOf={({ name }) => name}
        nothing={<Text size="sm">{texts.nothing}</Text>}
        columns={[
          { name: texts.job, show: ({ name }) => spoken(name, t.jobNames) },
          { name: texts.due, isAmount: true, show: ({ due }) => due },
          { name: texts.failed, isAmount: true, show: ({ failed }) => failed },
          { name: texts.oldest, show: ({ oldestDueAt }) => oldestDueAt && moment(oldestDueAt, language) },
        ]}
      />
    </Section>
  )
}

interface ReconciliationsProps {
  reconciliations: NonNullable<OperatingResult['reconciliations']>
}

function Reconciliations({ reconciliations }: ReconciliationsProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const texts = t.operators.jobs
  return (
    <Section title={texts.reconciliations} test="reconciliations">
      <DataTable
        label={texts.reconciliations}
        rows={reconciliations}
        keyOf={({ scope }) => scope}
        nothing={<Text size="sm">{texts.none}</Text>}
        columns={[
          { name: texts.scope, show: ({ scope }) => scopeText(scope, t.scopes) },
          { name: texts.begun, show: ({ begunAt }) => moment(begunAt, language) },
          { name: texts.ended, show: ({ endedAt }) => endedAt && moment(endedAt, language) },
          { name: texts.skipped, show: ({ skipped }) => skipped && (t.skips[skipped] ?? skipped) },
        ]}
      />
    </Section>
  )
}

/** What was compared, e.g. `received:pix`: the last part is a name, what stands before it are words. */
function scopeText(scope: string, words: Readonly<Record<string, string>>): string {
  return scope
    .split(':')
    .map((part) => words[part] ?? part)
    .join(' · ')
}
