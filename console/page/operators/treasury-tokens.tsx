import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { decimalsOf } from '../parts/decimals.js'
import { duration, figure } from '../parts/format.js'
import { DataTable } from '../parts/table.js'
import type { ShownTreasury } from './shown.js'

const HOUR_SECONDS = 3_600

/** What the treasury has of each token, what it owes, and how long that lasts at the rate of the last day. */
export function TreasuryTokens({ chain: { chainName, tokens } }: { chain: ShownTreasury }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const texts = t.operators.treasury
  // The token is in the row's first cell: what stands below each other is of one chain, not of one token, and has its point in one place.
  const shown = (column: 'balance' | 'waiting' | 'lastDay', amount: string): string =>
    figure(amount, language, decimalsOf(tokens.map((token) => [token[column] ?? '0', column]))(column))
  return (
    <DataTable
      label={`${t.operators.nav.treasury}: ${chainName}`}
      rows={tokens}
      keyOf={({ symbol }) => symbol}
      columns={[
        { name: t.common.token, show: ({ symbol }) => symbol },
        {
          name: texts.balance,
          isAmount: true,
          show: ({ balance }) => (balance === null ? texts.unknown : shown('balance', balance)),
        },
        { name: texts.waiting, isAmount: true, show: ({ waiting }) => shown('waiting', waiting) },
        { name: t.operators.nav.payouts, isAmount: true, show: ({ waitingCount }) => waitingCount },
        { name: texts.lastDay, isAmount: true, show: ({ lastDay }) => shown('lastDay', lastDay) },
        {
          name: texts.lasts,
          isAmount: true,
          show: ({ lastsHours }) =>
            lastsHours === null ? '–' : duration(Math.max(Number(lastsHours), 0) * HOUR_SECONDS, language),
        },
        {
          name: texts.cap,
          isAmount: true,
          show: ({ cap }) =>
            [
              cap?.perPayout && `${figure(cap.perPayout, language)} ${texts.perPayout}`,
              cap?.perDay && `${figure(cap.perDay, language)} ${texts.perDay}`,
            ]
              .filter(Boolean)
              .join(', '),
        },
      ]}
    />
  )
}
