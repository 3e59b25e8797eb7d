import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { duration, money } from '../parts/format.js'
import { DataTable } from '../parts/table.js'
import type { ShownTreasury } from './shown.js'

const HOUR_SECONDS = 3_600

/** What the treasury has of each token, what it owes, and how long that lasts at the rate of the last day. */
export function TreasuryTokens({ chain: { chainName, tokens } }: { chain: ShownTreasury }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const texts = t.operators.treasury
  const shown = (amount: string, symbol: string): string => money(amount, symbol, language)
  return (
    <DataTable
      label={`${t.operators.nav.treasury}: ${chainName}`}
      rows={tokens}
      keyOf={({ symbol }) => symbol}
      columns={[
        { name: texts.token, show: ({ symbol }) => symbol },
        {
          name: texts.balance,
          isAmount: true,
          show: ({ balance, symbol }) => (balance === null ? texts.unknown : shown(balance, symbol)),
        },
        {
          name: texts.waiting,
          isAmount: true,
          show: ({ waiting, waitingCount, symbol }) => `${shown(waiting, symbol)} (${waitingCount})`,
        },
        { name: texts.lastDay, isAmount: true, show: ({ lastDay, symbol }) => shown(lastDay, symbol) },
        {
          name: texts.lasts,
          isAmount: true,
          show: ({ lastsHours }) =>
            lastsHours === null ? '–' : duration(Math.max(Number(lastsHours), 0) * HOUR_SECONDS, language),
        },
        {
          name: texts.cap,
          isAmount: true,
          show: ({ cap, symbol }) =>
            [
              cap?.perPayout && `${shown(cap.perPayout, symbol)} ${texts.perPayout}`,
              cap?.perDay && `${shown(cap.perDay, symbol)} ${texts.perDay}`,
            ]
              .filter(Boolean)
              .join(', '),
        },
      ]}
    />
  )
}
