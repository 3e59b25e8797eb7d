import { SimpleGrid, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { tenantTermsQuery } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { RoutedAnchor } from '../parts/links.js'
import { Loading } from '../parts/loading.js'
import { PageTitle } from '../parts/page-title.js'
import { Pauses } from './pauses.js'
import { TenantDelays } from './tenant-delays.js'
import { TenantFees } from './tenant-fees.js'
import { TenantLimits } from './tenant-limits.js'
import { TenantProducts } from './tenant-products.js'
import { TenantState } from './tenant-state.js'

const route = getRouteApi('/operators/tenants/$id')

/** What is agreed with a tenant: what it may use, what is taken, what binds, and who waits. */
export function TenantPage(): ReactNode {
  const t = useText()
  const { id } = route.useParams()
  const { data, isLoading, error, again } = useGraph(tenantTermsQuery, { id, search: id })
  const tenant = data?.tenants?.edges.map(({ node }) => node).find((node) => node.id === id)
  const terms = data?.tenantTerms
  return (
    <Stack>
      <RoutedAnchor to="/operators/tenants" size="sm">
        ← {t.operators.nav.tenants}
      </RoutedAnchor>
      <Loading isLoading={isLoading} error={error} again={again} />
      {data && !tenant && !error && <Text>{t.operators.tenants.missing}</Text>}
      {tenant && terms && (
        <>
          <PageTitle title={tenant.name}>
            <TenantState tenant={tenant} onChange={again} />
          </PageTitle>
          <Text className="id">{id}</Text>
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <TenantProducts tenant={tenant} onChange={again} />
            <TenantDelays terms={terms} tenantId={id} onChange={again} />
            <TenantFees terms={terms} tenantId={id} onChange={again} />
            <TenantLimits terms={terms} tenantId={id} onChange={again} />
          </SimpleGrid>
          <Pauses
            pauses={data.pausedPayouts?.pauses.filter(({ tenantId }) => tenantId === id) ?? []}
            chains={[]}
            tenantId={id}
            onChange={again}
          />
        </>
      )}
    </Stack>
  )
}
