import { cacheExchange, Client, fetchExchange } from '@urql/core'
import { tenantHeader } from '../session/tab-tenant.js'

const URL = '/graphql'
/** A page of another site cannot send it, so the cookie alone does nothing. */
const HEADERS = { 'x-console': '1' }
/** The same of what no person has asked for: it keeps no session from ending. */
const LIVE_HEADERS = { 'x-console': 'live' }

/**
 * A client of the graph for one session at one tenant; its memory goes with it. Whatever is asked by it is asked of that tenant.
 * @param tenantId that the tab shows; null for the deployment
 * @param onEnded called where the session is over, or the person does not belong to the tenant any more
 */
export function graphClient(tenantId: string | null, onEnded: () => void): Client {
  return new Client({
    url: URL,
    exchanges: [cacheExchange, fetchExchange],
    preferGetMethod: false,
    // What is shown of money is never from the memory alone.
    requestPolicy: 'cache-and-network',
    fetchOptions: { headers: HEADERS, credentials: 'same-origin' },
    fetch: async (input, init) => {
      // The kit of the client writes them as a record.
      const headers = { ...(init?.headers as Record<string, string>), ...tenantHeader(tenantId) }
      const answer = await fetch(input, { ...init, headers })
      if (answer.status === 403 || answer.status === 401) onEnded()
      return answer
    },
  })
}

/** How a page asks again by itself. */
export const LIVE_FETCH = { headers: LIVE_HEADERS, credentials: 'same-origin' } as const

/** How an act is sent that may be sent again. @param key its idempotency key */
export function actFetch(key: string): RequestInit {
  return { headers: { ...HEADERS, 'idempotency-key': key }, credentials: 'same-origin' }
}

/** How changes of a tenant are followed. */
export function streamOf(tenantId: string | null): { url: string; headers: Record<string, string> } {
  return { url: URL, headers: { ...LIVE_HEADERS, ...tenantHeader(tenantId) } }
}
