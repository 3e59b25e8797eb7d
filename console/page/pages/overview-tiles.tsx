import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { sumOf } from '../parts/decimals.js'
import { duration, money, percent, spoken } from '../parts/format.js'
import { Tile } from '../parts/tile.js'
import type { ShownSummary } from './shown.js'

interface OverviewTilesProps {
  summary: ShownSummary
  /** As many days before; undefined while it is not known. */
  earlier: ShownSummary | undefined
  currencies: readonly string[]
}

/** The figures that are looked at first: what came in and went back, how much of it was paid, and how fast. */
export function OverviewTiles({ summary, earlier, currencies }: OverviewTilesProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { methods, failures, medianSettleSeconds, slowSettleSeconds } = summary
  const begun = methods.reduce((sum, method) => sum + method.begun, 0)
  const paid = methods.reduce((sum, method) => sum + method.paid, 0)
  const [reason] = failures
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', sm: 'md' }}>
      {currencies.map((currency) => {
        const sum = volumeOf(summary, currency)
        const change = earlier && changeOf(Number(sum), Number(volumeOf(earlier, currency)))
        return (
          <Tile
            key={currency}
            name={`${t.overview.paid} (${currency})`}
            value={money(sum, currency, language)}
            note={change && `${change} ${t.overview.before}`}
          />
        )
      })}
      {summary.returned.map(({ currency, refunded, disputed }) => (
        <Tile
          key={`returned ${currency}`}
          name={`${t.overview.wentBack} (${currency})`}
          value={money(sumOf([refunded, disputed]), currency, language)}
          note={[
            `${t.overview.refundedOf} ${money(refunded, currency, language)}`,
            `${t.overview.disputedOf} ${money(disputed, currency, language)}`,
          ].join(' · ')}
        />
      ))}
      <Tile name={t.overview.count} value={String(paid)} note={`${t.overview.of} ${begun} ${t.overview.begun}`} />
      <Tile
        name={t.overview.rate}
        value={begun === 0 ? '–' : percent((100 * paid) / begun, language, 1)}
        note={reason && `${t.overview.mostly} ${spoken(reason.reason, t.words)}`}
      />
      <Tile
        name={t.overview.time}
        value={medianSettleSeconds === null ? '–' : duration(medianSettleSeconds, language)}
        note={slowSettleSeconds !== null && `${t.overview.most} ${duration(slowSettleSeconds, language)}`}
      />
    </SimpleGrid>
  )
}

function volumeOf({ days }: ShownSummary, currency: string): string {
  return sumOf(days.filter((day) => day.currency === currency).map(({ sum }) => sum))
}

/** How much more or less, in percent; undefined where there was nothing to compare with. */
function changeOf(now: number, before: number): string | undefined {
  if (before === 0) return undefined
  const change = Math.round(100 * (now / before - 1))
  return `${change > 0 ? '▲ +' : change < 0 ? '▼ ' : ''}${change} %`
}
