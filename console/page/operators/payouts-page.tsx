import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { waitingPayoutsQuery, type PayoutDecisionState } from '../generated/operations.js'
import { OwnRows } from '../graph/asking.js'
import { useGraph } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Loading } from '../parts/loading.js'
import { Nothing } from '../parts/nothing.js'
import { PageTitle } from '../parts/page-title.js'
import { PAGE_SIZE, Pager } from '../parts/pager.js'
import { Said } from '../parts/said.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { DecisionDialog } from './decision-dialog.js'
import { PayoutProposals } from './payout-proposals.js'
import { PayoutTable } from './payout-table.js'
import { SentPayouts } from './sent-payouts.js'
import type { ShownPayout } from './shown.js'

const route = getRouteApi('/operators/payouts')

/** The payouts that wait, and what is proposed about payouts. */
export function PayoutsPage(): ReactNode {
  const t = useText()
  const { payouts: texts } = t.operators
  const { after } = route.useSearch()
  const navigate = route.useNavigate()
  const [deciding, setDeciding] = useKeptDraft<ShownPayout | undefined>('deciding', () => undefined)
  const [said, setSaid] = useState<string>()
  const [version, setVersion] = useState(0)
  const { data, isLoading, error, again } = useGraph(waitingPayoutsQuery, { first: PAGE_SIZE, after })
  const page = data?.waitingPayouts
  const payouts = page?.edges.map(({ node }) => node)
  const done = (state: PayoutDecisionState | undefined): void => {
    setDeciding(undefined)
    setSaid(state === 'PROPOSED' ? texts.proposed : texts.ordered)
    setVersion(version + 1)
    again()
  }
  return (
    <Stack>
      <PageTitle title={t.operators.nav.payouts} lead={texts.lead} />
      <Said text={said} />
      <OwnRows>
        <PayoutProposals version={version} onDone={done} />
      </OwnRows>
      <Loading isLoading={isLoading} error={error} again={again} />
      {payouts?.length === 0 && <Nothing text={texts.nothing} test="no-payouts" />}
      {payouts && payouts.length > 0 && (
        <PayoutTable label={t.operators.nav.payouts} test="payouts" payouts={payouts} onDecide={setDeciding} />
      )}
      <Pager page={page} after={after} go={(next) => void navigate({ search: { after: next } })} />
      <OwnRows>
        <SentPayouts version={version} onDecide={setDeciding} />
      </OwnRows>
      {deciding && <DecisionDialog payout={deciding} onDone={done} onClose={() => setDeciding(undefined)} />}
    </Stack>
  )
}
