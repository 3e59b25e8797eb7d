import { NativeSelect, SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { orderChoicesQuery, type OrderChoicesResult } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Loading } from '../parts/loading.js'
import type { OrderDraft } from './order-draft.js'

type Chain = NonNullable<OrderChoicesResult['configuration']>['chains'][number]

/** In what receivers are paid, and where: what the deployment has, and of the chains those that have the token. */
export function OrderMoney({
  draft,
  onChange,
}: {
  draft: OrderDraft
  onChange: (draft: OrderDraft) => void
}): ReactNode {
  const t = useText()
  const { data, isLoading, error, again } = useGraph(orderChoicesQuery, {})
  const chains = data?.configuration?.chains
  if (!chains) return <Loading isLoading={isLoading} error={error} again={again} />
  const symbols = [...new Set(chains.flatMap(symbolsOf))]
  const choose = (change: Partial<OrderDraft>): void => {
    const next = { ...draft, ...change }
    const hasBoth = chains.some((chain) => chain.name === next.chain && symbolsOf(chain).includes(next.token))
    onChange(hasBoth ? next : { ...next, chain: '' })
  }
  const fitting = chains.filter((chain) => symbolsOf(chain).includes(draft.token)).map(({ name }) => name)
  return (
    // On a phone half the width cuts what the chain can be.
    <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'end' }}>
      <NativeSelect
        label={t.orders.token}
        data={symbols}
        data-test="order-token"
        value={draft.token}
        onChange={(event) => choose({ token: event.currentTarget.value })}
      />
      <NativeSelect
        label={t.orders.chain}
        data={[{ value: '', label: t.orders.chainOpen }, ...fitting]}
        data-test="order-chain"
        value={draft.chain}
        onChange={(event) => choose({ chain: event.currentTarget.value })}
      />
    </SimpleGrid>
  )
}

function symbolsOf({ tokens, nativeCoin }: Chain): string[] {
  return [...tokens.map(({ symbol }) => symbol), nativeCoin.symbol]
}
