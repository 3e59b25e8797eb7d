import { Button, Stack } from '@mantine/core'
import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { providerHealthQuery } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Loading } from '../parts/loading.js'
import { PageTitle } from '../parts/page-title.js'
import { ProviderTable } from './provider-table.js'

/** The figures change once a minute. */
const AGAIN_MS = 30_000

/** Which of the providers answer, since when, and how fast; it asks again by itself as long as it is open. */
export function ProvidersPage(): ReactNode {
  const t = useText()
  const { data, isLoading, error, again, quietly } = useGraph(providerHealthQuery, {})
  const askAgain = useEffectEvent(quietly)
  useEffect(() => {
    const timer = setInterval(() => askAgain(), AGAIN_MS)
    return () => clearInterval(timer)
  }, [])
  const providers = data?.providerHealth
  return (
    <Stack>
      <PageTitle title={t.operators.nav.providers} lead={t.operators.providers.lead}>
        <Button variant="default" onClick={again} data-test="again">
          {t.operators.refresh}
        </Button>
      </PageTitle>
      <Loading isLoading={isLoading} error={error} again={again} />
      {providers && <ProviderTable providers={providers} />}
    </Stack>
  )
}
