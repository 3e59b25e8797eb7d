import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { day as shownDay, money, shortDay, shortMoney } from '../parts/format.js'
import { DataTable } from '../parts/table.js'
import type { ShownSummary } from './shown.js'

type Day = ShownSummary['days'][number]

interface DayBarsProps {
  /** Every day of the time, as `2026-01-31`. */
  dates: readonly string[]
  days: readonly Day[]
  currency: string
}

/** So many dates stand below the bars. */
const NAMED = 5

/** What was paid, a bar a day; the same as a table for who does not see the bars, or wants the figures. */
export function DayBars({ dates, days, currency }: DayBarsProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const byDay = new Map(days.map((one) => [one.day, one]))
  // Only the height of a bar is worked out of it: the figures are shown as they came.
  const top = roundAbove(Math.max(...days.map(({ sum }) => Number(sum)), 0))
  const step = Math.max(1, Math.ceil(dates.length / NAMED))
  return (
    <>
      <div className="chart" role="img" aria-label={t.overview.volume}>
        {[1, 0.5, 0].map((part) => (
          <div key={part} className="chart-line" style={{ bottom: `${100 * part}%` }}>
            <span>{shortMoney(part * top, currency, language)}</span>
          </div>
        ))}
        <div className="chart-bars">
          {dates.map((date, index) => {
            const one = byDay.get(date)
            return (
              <div key={date} className="chart-day">
                <div className="chart-bar" style={{ height: `${(100 * Number(one?.sum ?? '0')) / top}%` }} />
                <div className="chart-tip" data-side={index * 2 < dates.length ? 'left' : 'right'}>
                  <strong>{money(one?.sum ?? '0', currency, language)}</strong>
                  <div>{shownDay(date, language)}</div>
                  <div>{`${one?.paid ?? 0} / ${one?.registered ?? 0} ${t.overview.count}`}</div>
                </div>
              </div>
            )
          })}
        </div>
      </div>
      <div className="chart-dates" aria-hidden>
        {dates.map((date, index) => (
          <span key={date} data-second={((dates.length - 1 - index) / step) % 2 === 1}>
            {(dates.length - 1 - index) % step === 0 && shortDay(date, language)}
          </span>
        ))}
      </div>
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

/** The next of 1, 2, 5, 10, 20, …: a scale that is read at a glance. */
function roundAbove(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return power * ([1, 2, 5].find((factor) => factor * power >= value) ?? 10)
}
