import { createClient, type Client as StreamClient, type RequestParams } from 'graphql-sse'
import { atEnd } from './at-end.js'
import type { TestTenant } from './tenants.js'

/** What a GraphQL client sent. */
export interface SentRequest {
  method: string
  /** What stands in the body, or in the address. */
  parameters: Record<string, unknown>
}

/** What a GraphQL client of a tenant needs to reach the product. */
export interface ClientTransport {
  url: string
  headers: Record<string, string>
  /** The machine's `fetch`; each call is written down. */
  fetch: typeof fetch
  /** What was fetched so far; streams are not among it. */
  sent: SentRequest[]
  streams: Streams
}

/** A transport for a client that is a library: what it does not send, it knew already. */
export function clientTransport({ url }: { url: string }, { key }: TestTenant): ClientTransport {
  const sent: SentRequest[] = []
  const at = { url: `${url}/graphql`, headers: { 'x-api-key': key } }
  return {
    ...at,
    sent,
    streams: streamsOf(at),
    fetch: (input, init) => {
      const { searchParams } = new URL(input as string | URL)
      const parameters = typeof init?.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {}
      sent.push({ method: init?.method ?? 'GET', parameters: { ...Object.fromEntries(searchParams), ...parameters } })
      return fetch(input, init)
    },
  }
}

/** Whom a stream tells. */
interface StreamReader {
  next: (result: unknown) => void
  error: (cause: unknown) => void
  complete: () => void
}

/** Streams over SSE, as a client's own link or network layer opens them. */
interface Streams {
  /** @returns what ends it */
  subscribe: (params: RequestParams, reader: StreamReader) => () => void
  /** Settled once the first stream is open: what happens from then on is told. */
  opened: Promise<void>
}

/** Streams by `graphql-sse`, in its distinct connections mode. They end with the test file. */
function streamsOf({ url, headers }: Pick<ClientTransport, 'url' | 'headers'>): Streams {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const on = {
    connected: () => {
      resolve(undefined)
    },
  }
  const client: StreamClient = createClient({ url, headers, retryAttempts: 0, on })
  atEnd(() => {
    client.dispose()
  })
  return { opened: promise, subscribe: (params, reader) => client.subscribe(params, reader) }
}

/** What clients ask in their tests, in the words of any of them. */
export const CLIENT_DOCUMENTS = {
  payment: 'query Payment($id: ID!) { payment(id: $id) { id status sequence } }',
  payments: `query Payments($first: Int, $after: String) {
    payments(first: $first, after: $after) { edges { cursor node { id status } } pageInfo { hasNextPage endCursor } }
  }`,
  cancel: `mutation Cancel($id: ID!) {
    cancelPayment(id: $id) { payment { id status sequence } errors { code message path } }
  }`,
  updated: 'subscription Updated { paymentsUpdated { id status sequence } }',
}
