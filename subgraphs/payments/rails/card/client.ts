import { createHttpClient, type HttpClient } from '../../../../kernel/http.js'
import type { Logger } from '../../../../kernel/log.js'
import type { CardSettings } from './settings.js'

/** Calls of the processor's core API v5; the answers' bodies are as they came. All throw a ProviderError. */
export type CardClient = ReturnType<typeof createCardClient>

/** A client of the card processor. */
export function createCardClient(options: { settings: CardSettings; timeoutMs: number; log: Logger }) {
  const { settings, timeoutMs, log } = options
  const { baseUrl, secretKey, publicKey } = settings
  const common = { provider: 'card', baseUrl, timeoutMs, log }
  const authorization = `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`
  const http = createHttpClient({ ...common, headers: { authorization } })
  // The one call that browsers make themselves: it carries no secret.
  const open = createHttpClient(common)
  const read = bodyOf(http)
  return {
    /**
     * The adapter decides about repetitions, after it has asked what came of the first time.
     * @param key the same key a second time gives the first answer, for 24 hours
     */
    createOrder: (body: object, key: string) => write(http, 'POST', '/orders', key, body),
    /** The orders with a code, newest first. */
    findOrders: (code: string) => read('/orders', { code, size: 10 }),
    /** A page of the orders made in a time. */
    listOrders: (query: Readonly<Record<string, string | number>>) => read('/orders', query),
    /** A page of what the processor owes and keeps. */
    listPayables: (query: Readonly<Record<string, string>>) => read('/payables', query),
    getCharge: (chargeId: string) => read(`/charges/${encodeURIComponent(chargeId)}`),
    /** Voids or refunds a charge: whole, or so much of it as the body says. */
    cancelCharge: (chargeId: string, key: string, body?: object) =>
      write(http, 'DELETE', `/charges/${encodeURIComponent(chargeId)}`, key, body),
    createToken: async (body: object): Promise<unknown> => {
      const query = { appId: publicKey }
      return (await open.request({ method: 'POST', path: '/tokens', query, body, idempotent: false })).body
    },
  }
}

function bodyOf(http: HttpClient) {
  return async (path: string, query: Record<string, string | number> = {}): Promise<unknown> =>
    (await http.request({ method: 'GET', path, query, idempotent: true, retries: 1 })).body
}

async function write(
  http: HttpClient,
  method: 'POST' | 'DELETE',
  path: string,
  key: string,
  body?: object,
): Promise<unknown> {
  const headers = { 'idempotency-key': key }
  return (await http.request({ method, path, headers, idempotent: true, retries: 0, ...(body && { body }) })).body
}
