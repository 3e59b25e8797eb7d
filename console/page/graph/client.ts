import { cacheExchange, Client, fetchExchange } from '@urql/core'

const URL = '/graphql'
/** A page of another site cannot send it, so the cookie alone does nothing. */
const HEADERS = { 'x-console': '1' }
/** The same of what no person has asked for: it keeps no session from ending. */
const LIVE_HEADERS = { 'x-console': 'live' }

/** A client of the graph for one session; its memory goes with it. @param onEnded called where the session is over */
export function graphClient(onEnded: () => void): Client {
  return new Client({
    url: URL,
    exchanges: [cacheExchange, fetchExchange],
    preferGetMethod: false,
    // What is shown of money is never from the memory alone.
    requestPolicy: 'cache-and-network',
    fetchOptions: { headers: HEADERS, credentials: 'same-origin' },
    fetch: async (input, init) => {
      const answer = await fetch(input, init)
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

export const STREAM = { url: URL, headers: LIVE_HEADERS } as const
