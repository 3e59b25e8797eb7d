import { NativeSelect, SimpleGrid, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { paymentSummaryQuery } from '../generated/operations.js'
import { OwnRows } from '../graph/asking.js'
import { useGraph } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { spoken } from '../parts/format.js'
import { Loading } from '../parts/loading.js'
import { Meters } from '../parts/meters.js'
import { Nothing } from '../parts/nothing.js'
import { PageTitle } from '../parts/page-title.js'
import { Section } from '../parts/section.js'
import { DayBars } from './day-bars.js'
import { overviewSearch, RANGES } from './overview-search.js'
import { OverviewTiles } from './overview-tiles.js'
import type { ShownSummary } from './shown.js'

const route = getRouteApi('/overview')
const USUAL = 30
const DAY_MS = 86_400_000

/** How the last days went, beside as many days before them. */
export function OverviewPage(): ReactNode {
  const t = useText()
  const { days = USUAL } = route.useSearch()
  const navigate = route.useNavigate()
  const [tomorrow] = useState(() => Math.floor(Date.now() / DAY_MS + 1) * DAY_MS)
  const dayAt = (before: number): string => new Date(tomorrow - before * DAY_MS).toISOString()
  const from = dayAt(days)
  const { data, isLoading, error, again } = useGraph(paymentSummaryQuery, { from })
  const earlier = useGraph(paymentSummaryQuery, { from: dayAt(2 * days), to: from }).data?.paymentSummary
  const summary = data?.paymentSummary
  const dates = Array.from({ length: days }, (_, index) => dayAt(days - index).slice(0, 10))
  return (
    <Stack>
      <PageTitle title={t.nav.overview} lead={t.overview.lead}>
        <NativeSelect
          aria-label={t.overview.range}
          data-test="overview-range"
          value={String(days)}
          onChange={(event) => void navigate({ search: overviewSearch({ days: event.currentTarget.value }) })}
          data={RANGES.map((range) => ({ value: String(range), label: `${range} ${t.overview.days}` }))}
        />
      </PageTitle>
      <Loading isLoading={isLoading} error={error} again={again} />
      {summary && isEmpty(summary) && <Nothing text={t.overview.nothing} test="overview-empty" />}
      {summary && !isEmpty(summary) && (
        <OwnRows>
          <Figures summary={summary} earlier={earlier ?? undefined} dates={dates} />
        </OwnRows>
      )}
    </Stack>
  )
}

/** Whether nothing came in the time, and nothing that came before it went back. */
function isEmpty({ counted, returned }: ShownSummary): boolean {
  return counted === 0 && returned.length === 0
}

interface FiguresProps {
  summary: ShownSummary
  /** As many days before. */
  earlier: ShownSummary | undefined
  dates: readonly string[]
}

function Figures({ summary, earlier, dates }: FiguresProps): ReactNode {
  const t = useText()
  const { days, methods, failures } = summary
  const currencies = [...new Set(days.map(({ currency }) => currency))]
  const failed = failures.reduce((sum, { count }) => sum + count, 0)
  return (
    <Stack data-test="overview">
      <OverviewTiles summary={summary} earlier={earlier} currencies={currencies} />
      {currencies.map((currency) => (
        <Section key={currency} title={`${t.overview.volume} (${currency})`}>
          <DayBars dates={dates} days={days.filter((day) => day.currency === currency)} currency={currency} />
        </Section>
      ))}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Section title={t.overview.conversion}>
          <Meters
            of={methods.map(({ transactionType, begun, paid }) => ({
              name: t.methods[transactionType],
              part: paid / begun,
              text: `${paid} / ${begun}`,
            }))}
          />
        </Section>
        <Section title={t.overview.refusals}>
          {failed === 0 && <Nothing text={t.overview.noRefusals} />}
          <Meters
            tone="bad"
            of={failures.map(({ reason, count }) => ({
              name: spoken(reason, t.words),
              part: count / failed,
              text: String(count),
            }))}
          />
        </Section>
      </SimpleGrid>
    </Stack>
  )
}
