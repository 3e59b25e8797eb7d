import type { Clock } from '../../../../kernel/clock.js'
import { createHttpClient, type HttpClient, type HttpRequest } from '../../../../kernel/http.js'
import type { Logger } from '../../../../kernel/log.js'
import { protocolError, ProviderError } from '../../../../kernel/provider-error.js'
import { mutualTlsFetch } from './mutual-tls-fetch.js'
import type { PixSettings } from './settings.js'

const PROVIDER = 'pix'
/** Some providers' tokens live five minutes; one is fetched anew when a fifth of its life is left. */
const TOKEN_LIFE_DEFAULT_SECONDS = 300
const USED_SHARE = 0.8

/** Calls of the API Pix, with a token; the answers' bodies are as they came. All throw a ProviderError. */
export type PixClient = ReturnType<typeof createPixClient>

export interface PixClientOptions {
  settings: PixSettings
  clock: Clock
  timeoutMs: number
  log: Logger
}

/**
 * A client of one provider's API Pix: OAuth2 client credentials, mutual TLS where set. A token that the provider does not
 * take any more is fetched anew once per call.
 */
export function createPixClient(options: PixClientOptions) {
  const { settings, timeoutMs, log } = options
  const transport = settings.mutualTls ? { fetch: mutualTlsFetch(settings.mutualTls) } : {}
  const http = createHttpClient({ provider: PROVIDER, baseUrl: settings.baseUrl, timeoutMs, log, ...transport })
  const tokens = tokenSource(options, transport)
  const call = async (request: Omit<HttpRequest, 'idempotent'>): Promise<unknown> => {
    const send = async (): Promise<unknown> => (await http.request(await authorized(settings, tokens, request))).body
    return send().catch((error: unknown) => {
      if (!(error instanceof ProviderError) || error.httpStatus !== 401) throw error
      tokens.forget()
      return send()
    })
  }
  const at = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join('/')}`
  return {
    // All of them are: the caller chooses the ids, so that the same request a second time changes nothing.
    putCob: (txid: string, body: object) => call({ method: 'PUT', path: at('cob', txid), body, retries: 0 }),
    getCob: (txid: string) => call({ method: 'GET', path: at('cob', txid) }),
    patchCob: (txid: string, body: object) => call({ method: 'PATCH', path: at('cob', txid), body, retries: 0 }),
    /** Received payments in a window of times. */
    listPix: (query: Readonly<Record<string, string | number>>) => call({ method: 'GET', path: at('pix'), query }),
    getPix: (endToEndId: string) => call({ method: 'GET', path: at('pix', endToEndId) }),
    putRefund: (endToEndId: string, id: string, body: object) =>
      call({ method: 'PUT', path: at('pix', endToEndId, 'devolucao', id), body, retries: 0 }),
    getRefund: (endToEndId: string, id: string) =>
      call({ method: 'GET', path: at('pix', endToEndId, 'devolucao', id) }),
    putWebhook: (pixKey: string, webhookUrl: string) =>
      call({ method: 'PUT', path: at('webhook', pixKey), body: { webhookUrl } }),
    // A key without a webhook answers 404, and gets one then.
    getWebhook: (pixKey: string) => call({ method: 'GET', path: at('webhook', pixKey), expects: 'not_found' }),
  }
}

async function authorized(
  { appKey }: PixSettings,
  tokens: TokenSource,
  request: Omit<HttpRequest, 'idempotent'>,
): Promise<HttpRequest> {
  return {
    ...request,
    idempotent: true,
    headers: { authorization: `Bearer ${await tokens.token()}` },
    ...(appKey && { query: { ...request.query, [appKey.name]: appKey.value } }),
  }
}

interface TokenSource {
  token: () => Promise<string>
  forget: () => void
}

/** Keeps one token for all calls; those that come while it is fetched wait for the same. */
function tokenSource({ settings, clock, timeoutMs, log }: PixClientOptions, transport: object): TokenSource {
  const { baseUrl, path } = tokenAddress(settings)
  const http = createHttpClient({ provider: PROVIDER, baseUrl, timeoutMs, log, ...transport })
  let current: { token: Promise<string>; goodUntilMs: number } | undefined
  const fetchToken = (): Promise<string> => {
    const entry = { token: Promise.resolve(''), goodUntilMs: Infinity }
    entry.token = askToken(http, settings, path).then(
      ({ token, lifeSeconds }) => {
        entry.goodUntilMs = clock.now().getTime() + lifeSeconds * 1000 * USED_SHARE
        return token
      },
      (error: unknown) => {
        if (current === entry) current = undefined
        throw error
      },
    )
    current = entry
    return entry.token
  }
  return {
    token: () => (current && clock.now().getTime() < current.goodUntilMs ? current.token : fetchToken()),
    forget: () => {
      current = undefined
    },
  }
}

function tokenAddress({ baseUrl, tokenPath }: PixSettings): { baseUrl: string; path: string } {
  const url = URL.parse(tokenPath)
  return url ? { baseUrl: url.origin, path: url.pathname } : { baseUrl: new URL(baseUrl).origin, path: tokenPath }
}

async function askToken(
  http: HttpClient,
  { clientId, clientSecret, tokenBody, scope, appKey }: PixSettings,
  path: string,
): Promise<{ token: string; lifeSeconds: number }> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) })
  const { body } = await http.request({
    method: 'POST',
    path,
    body: tokenBody === 'json' ? { grant_type: 'client_credentials' } : form,
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    idempotent: true,
    ...(appKey && { query: { [appKey.name]: appKey.value } }),
  })
  const { access_token: token, expires_in: life } = (body ?? {}) as Record<string, unknown>
  if (typeof token !== 'string' || token === '') {
    throw protocolError(PROVIDER, 'pix sent no token')
  }
  const lifeSeconds = Number(life)
  return { token, lifeSeconds: lifeSeconds > 0 ? lifeSeconds : TOKEN_LIFE_DEFAULT_SECONDS }
}
