import type { CallOptions } from './call.js'
import { paymentEvents, type EventsOptions, type PaymentEvent } from './events.js'
import { operations } from './generated/operations.js'
import { runGraphql } from './graphql.js'
import { sender, type Transport } from './send.js'

/** What a client is made with. */
export interface ClientOptions {
  /** Of the service: `https://api.example.com`. */
  baseUrl: string
  /** Of the tenant. It never belongs into a browser. */
  apiKey?: string
  /** How long one try may take, in milliseconds; 65 000 where left out, as a confirmation on chain takes its time. */
  timeoutMs?: number
  /** How often a failed try is repeated; 2 where left out. */
  maxRetries?: number
  /** Instead of the platform's own. */
  fetch?: Transport['fetch']
  random?: Transport['random']
  newId?: Transport['newId']
  sleep?: Transport['sleep']
}

/** A client of the API: a method for each operation, GraphQL, and the events of a payment. */
export type PaymentsClient = ReturnType<typeof createClient>

/**
 * Makes a client. It keeps no connection and no state, so one may serve a whole process.
 * @throws TypeError where the address is none
 */
export function createClient(options: ClientOptions) {
  const { origin, pathname } = addressOf(options.baseUrl)
  const transport: Transport = {
    baseUrl: origin + pathname.replace(/\/$/, ''),
    apiKey: options.apiKey,
    timeoutMs: options.timeoutMs ?? 65_000,
    maxRetries: options.maxRetries ?? 2,
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    random: options.random ?? (() => Math.random()),
    newId: options.newId ?? (() => crypto.randomUUID()),
    sleep: options.sleep ?? sleep,
  }
  return {
    ...operations(sender(transport)),
    /**
     * Runs a GraphQL document.
     * @throws GraphqlError where its answer has errors
     */
    graphql: <Data>(document: string, variables: object = {}, callOptions: CallOptions = {}): Promise<Data> =>
      runGraphql(transport, document, variables, callOptions),
    /** The events of a payment as they happen, without a gap: a broken connection is opened again behind the last one. */
    paymentEvents: (id: string, eventsOptions: EventsOptions = {}): AsyncGenerator<PaymentEvent, void, void> =>
      paymentEvents(transport, id, eventsOptions),
  }
}

/** The address may hold a password, so a failure does not repeat it. */
function addressOf(baseUrl: string): URL {
  const isAddress = /^https?:\/\//i.test(baseUrl) && URL.canParse(baseUrl)
  if (!isAddress) throw new TypeError('baseUrl is no address: it has to begin with https:// or http://')
  return new URL(baseUrl)
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer)
      reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
}
