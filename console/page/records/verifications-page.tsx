import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { verificationsQuery, type VerificationsResult } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { moment } from '../parts/format.js'
import { Loading } from '../parts/loading.js'
import { Nothing } from '../parts/nothing.js'
import { PageTitle } from '../parts/page-title.js'
import { PAGE_SIZE, Pager } from '../parts/pager.js'
import { StatusBadge } from '../parts/status-badge.js'
import { DataTable } from '../parts/table.js'

type Verification = NonNullable<VerificationsResult['kycRecords']>['edges'][number]['node']

const route = getRouteApi('/verifications')

/** Where the identity checks of payers stand, newest first; who they are is not among it. */
export function VerificationsPage(): ReactNode {
  const t = useText()
  const { after } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, isLoading, error, again } = useGraph(verificationsQuery, { first: PAGE_SIZE, after })
  const page = data?.kycRecords
  const records = page?.edges.map(({ node }) => node)
  return (
    <Stack>
      <PageTitle title={t.nav.verifications} lead={t.verifications.lead} />
      <Loading isLoading={isLoading} error={error} again={again} />
      {records && <Verifications records={records} />}
      <Pager page={page} after={after} go={(next) => void navigate({ search: { after: next } })} />
    </Stack>
  )
}

function Verifications({ records }: { records: readonly Verification[] }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const texts = t.verifications
  const hintsOf = ({ isBlocklisted, ipInfo }: Verification): string =>
    [
      isBlocklisted && texts.blocklisted,
      ipInfo.some(({ isVpnOrTor }) => isVpnOrTor) && texts.vpn,
      ipInfo.some(({ isDataCenter }) => isDataCenter) && texts.dataCenter,
    ]
      .filter(Boolean)
      .join(', ')
  const countriesOf = ({ ipInfo }: Verification): string =>
    [...new Set(ipInfo.flatMap(({ country }) => country ?? []))].join(', ')
  return (
    <DataTable<Verification>
      label={t.nav.verifications}
      test="verifications"
      rows={records}
      keyOf={({ id }) => id}
      nothing={<Nothing text={texts.nothing} test="no-verifications" />}
      columns={[
        { name: texts.changed, show: ({ updatedAt }) => moment(updatedAt, language) },
        { name: t.common.status, show: ({ status }) => <StatusBadge status={status} text={texts.states[status]} /> },
        { name: 'Id', show: ({ id }) => <span className="id">{id}</span> },
        { name: texts.atProvider, show: ({ sessionStatus }) => sessionStatus },
        { name: texts.country, show: countriesOf },
        { name: texts.hints, show: hintsOf },
      ]}
    />
  )
}
