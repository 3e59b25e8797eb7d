import { Alert, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { yieldStrategiesQuery, type YieldStrategiesResult } from '../generated/operations.js'
import { OwnRows } from '../graph/asking.js'
import { useGraph } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { percent, wholeMoney } from '../parts/format.js'
import { Loading } from '../parts/loading.js'
import { Nothing } from '../parts/nothing.js'
import { PageTitle } from '../parts/page-title.js'
import { DataTable } from '../parts/table.js'
import { YieldPosition } from './yield-position.js'

type Strategy = NonNullable<YieldStrategiesResult['yieldStrategies']>['strategies'][number]

/** Where tokens can be lent, and what a wallet has there. */
export function YieldsPage(): ReactNode {
  const t = useText()
  const { data, isLoading, error, again } = useGraph(yieldStrategiesQuery, {})
  const found = data?.yieldStrategies
  return (
    <Stack>
      <PageTitle title={t.nav.yields} lead={t.yields.lead} />
      <Loading isLoading={isLoading} error={error} again={again} />
      {found?.sources
        .filter(({ ok }) => !ok)
        .map(({ provider, message }) => (
          <Alert key={provider} color="yellow" variant="outline" role="status">
            {provider}: {t.yields.unreachable} ({message})
          </Alert>
        ))}
      {found?.strategies.length === 0 && <Nothing text={t.yields.nothing} test="no-yields" />}
      {found && found.strategies.length > 0 && (
        <>
          <Strategies strategies={found.strategies} />
          <OwnRows>
            <YieldPosition tokens={[...new Set(found.strategies.map(({ token }) => token.symbol))]} />
          </OwnRows>
        </>
      )}
    </Stack>
  )
}

function Strategies({ strategies }: { strategies: readonly Strategy[] }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const texts = t.yields
  const rate = (value: { percent: string } | null): string => (value ? percent(value.percent, language) : '–')
  return (
    <DataTable<Strategy>
      label={t.nav.yields}
      test="yields"
      rows={strategies}
      keyOf={({ id }) => id}
      columns={[
        { name: t.common.token, show: ({ token }) => token.symbol },
        { name: texts.protocol, show: ({ protocolDisplayName }) => protocolDisplayName },
        { name: texts.rate, isAmount: true, show: ({ apy }) => rate(apy.supply) },
        { name: texts.withRewards, isAmount: true, show: ({ apy }) => rate(apy.totalWithRewards) },
        {
          name: texts.locked,
          isAmount: true,
          show: ({ liquidity: { tvlUsd } }) => (tvlUsd === null ? '–' : wholeMoney(tvlUsd, 'USD', language)),
        },
        { name: texts.open, show: ({ enabled }) => (enabled ? t.common.yes : t.common.no) },
      ]}
    />
  )
}
