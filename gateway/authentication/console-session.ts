import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { parse } from 'graphql'
import type { SubgraphExecutor } from '../../kernel/subgraph.js'
import type { Caller, Product, Role } from '../../kernel/tenant.js'
import type { KeyStatus } from './authenticate.js'

/** The cookie that holds a session at the console. */
export const SESSION_COOKIE = 'console_session'

/** What tells a session from a key where both are known by a hash. */
const PREFIX = 'session:'

/** 32 bytes, base64url. */
const TOKEN_FORM = /^[\w-]{43}$/

/** The deployment itself: at this point it is not known yet who calls. */
export const GATEWAY: Caller = { tenantId: null, keyId: 'gateway', products: [] }

const DOCUMENT = parse(`query ConsoleSession($hash: String!) {
  consoleSession(hash: $hash) { personId email isOperator tenantId role products fiats provenAt expiresAt }
}`)

interface SessionRow {
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
export function sessionHashOf({ headers }: FastifyRequest): string | undefined {
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim())
  const [found, ...more] = cookies.filter((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`))
  const token = found?.slice(SESSION_COOKIE.length + 1)
  return token !== undefined && more.length === 0 && TOKEN_FORM.test(token) ? hashOfToken(token) : undefined
}

/** What is kept of a session's token: SHA-256, hex. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
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
 * By what the gateway knows a request of the console's own pages: they have no key, but the cookie and a header of their own,
 * which no form or image can send. The cookie of a GET counts for nothing.
 */
export function consoleKeyOf(publicUrl: string): (request: FastifyRequest) => string | undefined {
  return (request) => {
    const { method, headers } = request
    if (method !== 'POST' || headers['x-console'] !== '1' || isForeign(request, publicUrl)) return undefined
    const hash = sessionHashOf(request)
    return hash === undefined ? undefined : `${PREFIX}${hash}`
  }
}

/**
 * Whose session it is, in the form in which keys are known; for what is no session, `otherwise` says it. One that looks at no
 * tenant is nobody, unless the person is an operator.
 */
export function statusOfSession(
  accounts: SubgraphExecutor,
  newRequestId: () => string,
  otherwise: (hash: string) => Promise<KeyStatus | null>,
): (hash: string) => Promise<KeyStatus | null> {
  return async (hash) => {
    if (!hash.startsWith(PREFIX)) return otherwise(hash)
    const variables = { hash: hash.slice(PREFIX.length) }
    const context = { requestId: newRequestId(), caller: GATEWAY }
    const { data, errors } = await accounts({ document: DOCUMENT, variables, context })
    if (errors?.length || !data) throw new Error('a session cannot be looked up', { cause: errors?.[0] })
    return statusOf((data['consoleSession'] ?? null) as SessionRow | null)
  }
}

function statusOf(session: SessionRow | null): KeyStatus | null {
  if (!session) return null
  const { personId: id, email, isOperator, tenantId, products, fiats, provenAt, expiresAt } = session
  const role = tenantId !== null ? session.role : isOperator ? 'operator' : null
  if (role === null) return null
  return { keyId: `person:${id}`, tenantId, products, fiats, expiresAt, person: { id, email, role, provenAt } }
}
