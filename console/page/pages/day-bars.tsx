import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { day as shownDay, money } from '../parts/format.js'
import { DataTable } from '../parts/table.js'
import type { ShownSummary } from './shown.js'

type Day = ShownSummary['days'][number]

interface DayBarsProps {
  /** Every day of the time, as `2026-01-31`. */
  dates: readonly string[]
  days: readonly Day[]
  currency: string
}

const HEIGHT = 100
const STEP = 10

/** What was paid, a bar a day; the same as a table for who does not see the bars, or wants the figures. */
export function DayBars({ dates, days, currency }: DayBarsProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const byDay = new Map(days.map((one) => [one.day, one]))
  // Only the height of a bar is worked out of it: the figures are shown as they came.
  const sums = dates.map((date) => Number(byDay.get(date)?.sum ?? '0'))
  const top = Math.max(...sums, 1)
  const highest = dates[sums.indexOf(Math.max(...sums))] ?? ''
  return (
    <>
      <svg
        className="bars"
        viewBox={`0 0 ${dates.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t.overview.volume}
      >
        {dates.map((date, index) => {
          const height = ((sums[index] ?? 0) / top) * HEIGHT
          return (
            <rect key={date} x={index * STEP + 1} y={HEIGHT - height} width={STEP - 2} height={height}>
              <title>{`${shownDay(date, language)}: ${money(byDay.get(date)?.sum ?? '0', currency, language)}`}</title>
            </rect>
          )
        })}
      </svg>
      <p className="bars-axis">
        <span>{shownDay(dates[0] ?? '', language)}</span>
        <span>
          {t.overview.highest}: {money(byDay.get(highest)?.sum ?? '0', currency, language)}
        </span>
        <span>{shownDay(dates.at(-1) ?? '', language)}</span>
      </p>
      <details>
        <summary>{t.overview.figures}</summary>
        <DataTable
          label={`${t.overview.volume} (${currency})`}
          rows={days}
          keyOf={({ day }) => day}
          columns={[
            { name: t.overview.day, show: ({ day }) => shownDay(day, language) },
            { name: t.overview.count, isAmount: true, show: ({ paid, registered }) => `${paid} / ${registered}` },
            { name: t.overview.sum, isAmount: true, show: ({ sum }) => money(sum, currency, language) },
          ]}
        />
      </details>
    </>
  )
}
