import { Box, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { tenantsQuery } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { day } from '../parts/format.js'
import { RoutedAnchor } from '../parts/links.js'
import { Loading } from '../parts/loading.js'
import { Nothing } from '../parts/nothing.js'
import { PageTitle } from '../parts/page-title.js'
import { PAGE_SIZE, Pager } from '../parts/pager.js'
import { SearchField } from '../parts/search-field.js'
import { DataTable } from '../parts/table.js'
import { tenantsSearch } from './operator-search.js'
import type { ShownTenant } from './shown.js'

const route = getRouteApi('/operators/tenants')

/** The tenants of the deployment, newest first. */
export function TenantsPage(): ReactNode {
  const t = useText()
  const { search, after } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, isLoading, error, again } = useGraph(tenantsQuery, { first: PAGE_SIZE, after, search })
  const page = data?.tenants
  const tenants = page?.edges.map(({ node }) => node)
  return (
    <Stack>
      <PageTitle title={t.operators.nav.tenants} lead={t.operators.tenants.lead} />
      <Box role="search" maw={420}>
        <SearchField
          key={search}
          label={t.payments.search}
          hint={t.operators.tenants.search}
          text={search ?? ''}
          test="search-tenants"
          onSend={(text) => void navigate({ search: tenantsSearch({ search: text }) })}
        />
      </Box>
      <Loading isLoading={isLoading} error={error} again={again} />
      {tenants && <Tenants tenants={tenants} />}
      <Pager page={page} after={after} go={(next) => void navigate({ search: { search, after: next } })} />
    </Stack>
  )
}

function Tenants({ tenants }: { tenants: readonly ShownTenant[] }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const texts = t.operators.tenants
  return (
    <DataTable<ShownTenant>
      label={t.operators.nav.tenants}
      test="tenants"
      rows={tenants}
      keyOf={({ id }) => id}
      nothing={<Nothing text={texts.nothing} test="no-tenants" />}
      columns={[
        {
          name: t.common.name,
          show: ({ id, name }) => (
            <RoutedAnchor to="/operators/tenants/$id" params={{ id }} size="sm" data-test="open-tenant">
              {name}
            </RoutedAnchor>
          ),
        },
        { name: 'Id', show: ({ id }) => <span className="id">{id}</span> },
        { name: texts.products, show: ({ products }) => products.map((one) => texts.productNames[one]).join(', ') },
        { name: texts.fiats, show: ({ fiats }) => fiats?.join(', ') ?? t.common.all },
        { name: t.common.created, show: ({ createdAt }) => day(createdAt, language) },
        { name: t.common.status, show: ({ disabledAt }) => (disabledAt === null ? texts.active : texts.disabled) },
      ]}
    />
  )
}
