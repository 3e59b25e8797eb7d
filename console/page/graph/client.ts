import { cacheExchange, Client, fetchExchange } from '@urql/core'

const URL = '/graphql'
/** A page of another site cannot send it, so the cookie alone does nothing. */
const HEADERS = { 'x-console': '1' }

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

export const STREAM = { url: URL, headers: HEADERS } as const
