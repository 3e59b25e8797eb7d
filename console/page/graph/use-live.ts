import { createClient } from 'graphql-sse'
import { useEffect, useEffectEvent } from 'react'
import { paymentsUpdatedSubscription, type PaymentsUpdatedResult } from '../generated/operations.js'
import { useSession } from '../session/use-session.js'
import { streamOf } from './client.js'

/** How often a page asks again at most, however many payments change. */
const PACE_MS = 1_000

/**
 * Calls once a payment of the tenant has changed, at most once a second; and after a broken stream, as what was missed is
 * not known. The page then asks again: an event says that something is new, the answer says what.
 * @param onChange gets the ids of the payments
 */
export function usePaymentChanges(onChange: (ids: ReadonlySet<string>) => void): void {
  const tell = useEffectEvent(onChange)
  const tenantId = useSession().tenant?.id ?? null
  useEffect(() => {
    const changed = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const flush = (): void => {
      timer = undefined
      tell(new Set(changed))
      changed.clear()
    }
    const note = (id?: string): void => {
      if (id !== undefined) changed.add(id)
      timer ??= setTimeout(flush, PACE_MS)
    }
    const client = createClient({
      ...streamOf(tenantId),
      retryAttempts: Number.MAX_SAFE_INTEGER,
      on: { connecting: (again) => again && note() },
    })
    const stop = client.subscribe<PaymentsUpdatedResult>(
      { query: '', extensions: { persistedQuery: { version: 1, sha256Hash: paymentsUpdatedSubscription.id } } },
      { next: ({ data }) => note(data?.paymentsUpdated?.id), error: () => undefined, complete: () => undefined },
    )
    return () => {
      stop()
      client.dispose()
      clearTimeout(timer)
    }
  }, [tenantId])
}
