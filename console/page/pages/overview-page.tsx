import { SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { paymentSummaryQuery } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { duration, spoken } from '../parts/format.js'
import { Loading } from '../parts/loading.js'
import { Meters } from '../parts/meters.js'
import { Section } from '../parts/section.js'
import { Terms } from '../parts/terms.js'
import { DayBars } from './day-bars.js'
import type { ShownSummary } from './shown.js'

const DAYS = 30
const DAY_MS = 86_400_000

/** How the last thirty days went. */
export function OverviewPage(): ReactNode {
  const t = useText()
  const [from] = useState(() => new Date(Math.floor(Date.now() / DAY_MS - DAYS + 1) * DAY_MS).toISOString())
  const { data, isLoading, error, again } = useGraph(paymentSummaryQuery, { from })
  const summary = data?.paymentSummary
  return (
    <Stack>
      <Title order={1} size="h2">
        {t.overview.title}
      </Title>
      <Text>{t.overview.lead}</Text>
      <Loading isLoading={isLoading} error={error} again={again} />
      {summary?.counted === 0 && <Text data-test="overview-empty">{t.overview.nothing}</Text>}
      {summary && summary.counted > 0 && <Figures summary={summary} from={from} />}
    </Stack>
  )
}

function Figures({ summary, from }: { summary: ShownSummary; from: string }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { days, methods, failures, medianSettleSeconds, slowSettleSeconds } = summary
  const currencies = [...new Set(days.map(({ currency }) => currency))]
  const dates = Array.from({ length: DAYS }, (_, index) =>
    new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10),
  )
  const failed = failures.reduce((sum, { count }) => sum + count, 0)
  return (
    <Stack data-test="overview">
      {currencies.map((currency) => (
        <Section key={currency} title={`${t.overview.volume} (${currency})`}>
          <DayBars dates={dates} days={days.filter((day) => day.currency === currency)} currency={currency} />
        </Section>
      ))}
      <SimpleGrid cols={{ base: 1, lg: 3 }}>
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
          {failed === 0 && <Text size="sm">{t.common.none}</Text>}
          <Meters
            of={failures.map(({ code, count }) => ({ name: spoken(code), part: count / failed, text: String(count) }))}
          />
        </Section>
        <Section title={t.overview.time}>
          <Terms
            of={[
              [t.overview.half, medianSettleSeconds !== null && duration(medianSettleSeconds, language)],
              [t.overview.most, slowSettleSeconds !== null && duration(slowSettleSeconds, language)],
            ]}
          />
        </Section>
      </SimpleGrid>
    </Stack>
  )
}
