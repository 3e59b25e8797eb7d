import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { brandingQuery } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Loading } from '../parts/loading.js'
import { PageTitle } from '../parts/page-title.js'
import { BrandingForm } from './branding-form.js'

/** How the tenant's payment pages look, changed beside a preview of their head. */
export function BrandingPage(): ReactNode {
  const t = useText()
  const { data, isLoading, error, again } = useGraph(brandingQuery, {})
  return (
    <Stack>
      <PageTitle title={t.nav.branding} lead={t.branding.lead} />
      <Loading isLoading={isLoading} error={error} again={again} />
      {data?.branding && <BrandingForm saved={data.branding} />}
    </Stack>
  )
}
