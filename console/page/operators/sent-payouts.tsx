import { Text } from '@mantine/core'
import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { waitingPayoutsQuery } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Loading } from '../parts/loading.js'
import { Section } from '../parts/section.js'
import { PayoutTable } from './payout-table.js'
import type { ShownPayout } from './shown.js'

/** The oldest are those that somebody may have to stop. */
const SHOWN = 25

interface SentPayoutsProps {
  /** Grows with each decision. */
  version: number
  onDecide: (payout: ShownPayout) => void
}

/** Payouts whose transaction is on its way: as long as no block has it, it may be cancelled. */
export function SentPayouts({ version, onDecide }: SentPayoutsProps): ReactNode {
  const t = useText()
  const texts = t.operators.payouts
  const { data, isLoading, error, again } = useGraph(waitingPayoutsQuery, { first: SHOWN, sending: true })
  const askAgain = useEffectEvent(again)
  useEffect(() => {
    if (version > 0) askAgain()
  }, [version])
  const payouts = data?.waitingPayouts?.edges.map(({ node }) => node)
  return (
    <Section title={texts.sent} test="sent">
      <Loading isLoading={isLoading} error={error} again={again} />
      {payouts?.length === 0 && <Text size="sm">{texts.noneSent}</Text>}
      {payouts && payouts.length > 0 && (
        <PayoutTable label={texts.sent} test="sent-payouts" payouts={payouts} onDecide={onDecide} />
      )}
    </Section>
  )
}
