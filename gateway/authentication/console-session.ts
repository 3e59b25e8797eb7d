import type { FastifyRequest } from 'fastify'
import { parse } from 'graphql'
import type { SubgraphExecutor } from '../../kernel/subgraph.js'
import type { Caller, Person, Product, Role } from '../../kernel/tenant.js'
import { hashOf } from '../operation.js'
import type { KeyStatus } from './authenticate.js'

/**
 * The name of a cookie of the console. Over https it has the prefix with which browsers take it from this host alone, so that no
 * sibling can plant one (RFC 6265bis, 4.1.3.2); over plain http no browser would keep that.
 * @param publicUrl where the product is reached
 */
export function consoleCookieName(name: string, publicUrl: string): string {
  return publicUrl.startsWith('https:') ? `__Host-${name}` : name
}

/** The name of the cookie that holds a session at the console. */
export function sessionCookieName(publicUrl: string): string {
  return consoleCookieName('console_session', publicUrl)
}

/** What tells a session from a key where both are known by a hash: one by which a person acts, and one that only watches. */
const ACTING = 'session'
const WATCHING = 'watch'

/** 32 bytes, base64url. */
const TOKEN_FORM = /^[\w-]{43}$/

/** In which each tab of the console says which tenant it shows. */
const TENANT_HEADER = 'x-console-tenant'
/** What the header says where the deployment itself is shown; no tenant has it for its id. */
const DEPLOYMENT = 'deployment'
/** A header of another form names a tenant to which nobody belongs. */
const TENANT_FORM = /^[\w-]{1,64}$/
const NO_TENANT = ''

/** The deployment itself: at this point it is not known yet who calls. */
export const GATEWAY: Caller = { tenantId: null, keyId: 'gateway', products: [] }

const DOCUMENT = parse(`query ConsoleSession($hash: String!, $isUse: Boolean!, $tenantId: ID) {
  consoleSession(hash: $hash, isUse: $isUse, tenantId: $tenantId) { id personId email isOperator tenantId role products fiats provenAt expiresAt }
}`)

interface SessionRow {
  id: string
  personId: string
  email: string
  isOperator: boolean
  tenantId: string | null
  role: Role | null
  products: readonly Product[]
  fiats: readonly string[] | null
  provenAt: string
  expiresAt: string
}

/** The SHA-256, hex, of the session in a request's cookie; undefined where there is none, or more than one. */
export function sessionHashOf(request: FastifyRequest, publicUrl: string): string | undefined {
  return cookieHashOf(request, sessionCookieName(publicUrl))
}

/** The same of any cookie of the console that holds a token. */
export function cookieHashOf(request: FastifyRequest, name: string): string | undefined {
  const token = cookieTokenOf(request, name)
  return token === undefined ? undefined : hashOf(token)
}

/** The token itself, of a cookie that is to be set again. */
export function cookieTokenOf({ headers }: FastifyRequest, name: string): string | undefined {
  const begin = `${name}=`
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim())
  const [found, ...more] = cookies.filter((cookie) => cookie.startsWith(begin))
  const token = found?.slice(begin.length)
  return token !== undefined && more.length === 0 && TOKEN_FORM.test(token) ? token : undefined
}

/**
 * Whether a browser says that another site's page sent a request. The cookie is `SameSite=Strict` already; this is for
 * what is a sibling of ours, which counts as the same site.
 * @param publicUrl where the product is reached
 */
export function isForeign({ headers }: FastifyRequest, publicUrl: string): boolean {
  const { origin, host } = headers
  if (origin === undefined) return false
  return origin !== new URL(publicUrl).origin && hostOf(origin) !== host
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

/**
 * The tenant that the tab shows from which a request comes; null for the deployment itself, undefined where the request does not say it.
 * The header opens nothing: whether the person belongs there is asked with the session.
 */
export function shownTenantOf({ headers }: FastifyRequest): string | null | undefined {
  const shown = headers[TENANT_HEADER]
  if (shown === undefined) return undefined
  if (shown === DEPLOYMENT) return null
  return typeof shown === 'string' && TENANT_FORM.test(shown) ? shown : NO_TENANT
}

/**
 * By what the gateway knows a request of the console's own pages: they have no key, but the cookie and a header of their own,
 * which no form or image can send. The cookie of a GET counts for nothing. A page that was left open renews no session: its
 * streams, and what it asks because of them, with the header `x-console: live`, are looked up apart from what a person does. So is
 * each tenant that a tab shows: what is remembered of one tab is nothing to another.
 */
export function consoleKeyOf(publicUrl: string): (request: FastifyRequest) => string | undefined {
  return (request) => {
    const { method, headers } = request
    const header = headers['x-console']
    if (method !== 'POST' || (header !== '1' && header !== 'live') || isForeign(request, publicUrl)) return undefined
    const hash = sessionHashOf(request, publicUrl)
    if (hash === undefined) return undefined
    // The client of the pages would take a stream for any answer, and says so last.
    const isLive = header === 'live' || headers.accept?.startsWith('text/event-stream') === true
    const shown = shownTenantOf(request)
    return [isLive ? WATCHING : ACTING, hash, ...(shown === undefined ? [] : [shown ?? DEPLOYMENT])].join(':')
  }
}

/**
 * Whose session it is, in the form in which keys are known; for what is no session, `otherwise` says it. One that looks at no
 * tenant is nobody, unless the person is an operator. So is one whose tab shows a tenant to which the person does not belong, an
 * operator's too: what is asked of a tenant is never done for another, nor for the deployment.
 */
export function statusOfSession(
  accounts: SubgraphExecutor,
  newRequestId: () => string,
  otherwise: (hash: string) => Promise<KeyStatus | null>,
): (hash: string) => Promise<KeyStatus | null> {
  return async (hash) => {
    const [kind, sessionHash, place] = hash.split(':')
    if (kind !== ACTING && kind !== WATCHING) return otherwise(hash)
    const shown = place === DEPLOYMENT ? null : place
    const variables = { hash: sessionHash, isUse: kind === ACTING, ...(shown !== undefined && { tenantId: shown }) }
    const context = { requestId: newRequestId(), caller: GATEWAY }
    const { data, errors } = await accounts({ document: DOCUMENT, variables, context })
    if (errors?.length || !data) throw new Error('a session cannot be looked up', { cause: errors?.[0] })
    return statusOf((data['consoleSession'] ?? null) as SessionRow | null, shown)
  }
}

/** @param shown the tenant that the tab shows; undefined where it does not say it, and the session's own counts */
function statusOf(session: SessionRow | null, shown: string | null | undefined): KeyStatus | null {
  if (!session || (shown !== undefined && session.tenantId !== shown)) return null
  const { id: sessionId, personId: id, email, isOperator, tenantId, products, fiats, provenAt, expiresAt } = session
  const role = tenantId !== null ? session.role : isOperator ? 'operator' : null
  if (role === null) return null
  const person: Person = { id, email, role, provenAt, sessionId }
  return { keyId: `person:${id}`, tenantId, products, fiats, expiresAt, person }
}
