import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { alertsQuery, closeAlertMutation } from '../generated/operations.js'
import { refusalOf, useAct, useGraph } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Loading } from '../parts/loading.js'
import { PageTitle } from '../parts/page-title.js'
import { PAGE_SIZE, Pager } from '../parts/pager.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { AlertTable } from './alert-table.js'
import { ReasonDialog } from './reason-dialog.js'
import type { ShownAlert } from './shown.js'
import { StateFilter } from './state-filter.js'

const route = getRouteApi('/operators/alerts')

/** What an operator has to look at, newest first. */
export function AlertsPage(): ReactNode {
  const t = useText()
  const { state = 'OPEN', after } = route.useSearch()
  const navigate = route.useNavigate()
  const [closing, setClosing] = useKeptDraft<ShownAlert | undefined>('closing', () => undefined)
  const { data, isLoading, error, again } = useGraph(alertsQuery, { first: PAGE_SIZE, after, state })
  const close = useAct(closeAlertMutation)
  const page = data?.alerts
  const alerts = page?.edges.map(({ node }) => node)
  const stopClosing = (): void => setClosing(undefined)
  return (
    <Stack>
      <PageTitle title={t.operators.nav.alerts} lead={t.operators.alerts.lead} />
      <StateFilter state={state} onChange={(search) => void navigate({ search })} />
      <Loading isLoading={isLoading} error={error} again={again} />
      {alerts && <AlertTable alerts={alerts} onClose={setClosing} />}
      <Pager page={page} after={after} go={(next) => void navigate({ search: { state, after: next } })} />
      {closing && (
        <ReasonDialog
          title={`${t.common.close}: ${t.alertKinds[closing.kind]}`}
          lead={t.operators.alerts.closeLead}
          about={closing.id}
          act={t.common.close}
          onAct={(reason) => refusalOf(close({ id: closing.id, reason }), stopClosing, again)}
          onClose={stopClosing}
        />
      )}
    </Stack>
  )
}
