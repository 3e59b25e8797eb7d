import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { decimalsOf } from '../parts/decimals.js'
import { figure } from '../parts/format.js'
import { DataTable } from '../parts/table.js'
import type { ShownTreasury } from './shown.js'

/** What each account of a treasury has, where there are several: a token that one lacks may lie with another. */
export function TreasuryAccounts({ chain: { chainName, accounts } }: { chain: ShownTreasury }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const texts = t.operators.treasury
  const decimals = decimalsOf(
    accounts.flatMap(({ balances }) => balances.map(({ symbol, balance }) => [balance ?? '0', symbol] as const)),
  )
  const symbols = accounts[0]?.balances.map(({ symbol }) => symbol) ?? []
  return (
    <DataTable
      label={`${texts.accounts}: ${chainName}`}
      test="treasury-accounts"
      rows={accounts}
      keyOf={({ account }) => account}
      columns={[
        { name: texts.account, show: ({ account }) => <span className="id">{account}</span> },
        ...symbols.map((symbol) => ({
          name: symbol,
          isAmount: true,
          show: ({ balances }: ShownTreasury['accounts'][number]) => {
            const balance = balances.find((one) => one.symbol === symbol)?.balance ?? null
            return balance === null ? texts.unknown : figure(balance, language, decimals(symbol))
          },
        })),
      ]}
    />
  )
}
