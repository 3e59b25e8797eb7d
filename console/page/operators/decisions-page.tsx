import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { payoutDecisionsQuery } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { moment } from '../parts/format.js'
import { Loading } from '../parts/loading.js'
import { Nothing } from '../parts/nothing.js'
import { PageTitle } from '../parts/page-title.js'
import { PAGE_SIZE, Pager } from '../parts/pager.js'
import { StatusBadge } from '../parts/status-badge.js'
import { DataTable } from '../parts/table.js'
import type { ShownDecision } from './shown.js'

const route = getRouteApi('/operators/decisions')

/** What was decided about payouts, newest first. */
export function DecisionsPage(): ReactNode {
  const t = useText()
  const { after } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, isLoading, error, again } = useGraph(payoutDecisionsQuery, { first: PAGE_SIZE, after })
  const page = data?.payoutDecisions
  const decisions = page?.edges.map(({ node }) => node)
  return (
    <Stack>
      <PageTitle title={t.operators.nav.decisions} lead={t.operators.decisions.lead} />
      <Loading isLoading={isLoading} error={error} again={again} />
      {decisions && <Decisions decisions={decisions} />}
      <Pager page={page} after={after} go={(next) => void navigate({ search: { after: next } })} />
    </Stack>
  )
}

function Decisions({ decisions }: { decisions: readonly ShownDecision[] }): ReactNode {
  const { operators, common } = useText()
  const { language } = useLanguage()
  const { decisions: texts, payouts } = operators
  return (
    <DataTable<ShownDecision>
      label={operators.nav.decisions}
      test="decisions"
      rows={decisions}
      keyOf={({ id }) => id}
      nothing={<Nothing text={texts.nothing} test="no-decisions" />}
      columns={[
        { name: common.created, show: ({ orderedAt }) => orderedAt && moment(orderedAt, language) },
        { name: payouts.action, show: ({ action }) => payouts.actions[action] },
        { name: common.status, show: ({ state }) => <StatusBadge status={state} text={texts.states[state]} /> },
        { name: common.about, show: ({ batchId }) => <span className="id">{batchId}</span> },
        { name: common.reason, show: ({ reason }) => reason },
        { name: texts.by, show: ({ orderedBy }) => orderedBy },
        { name: payouts.proposedBy, show: ({ proposedBy }) => proposedBy },
        { name: texts.result, show: ({ result }) => result },
      ]}
    />
  )
}
