import type { Clock } from './clock.js'
import { equalTexts } from './equal-texts.js'
import { hmacSha256 } from './hmac.js'
import { isId } from './ids.js'

/** The products that a deployment and a tenant can have. */
export const PRODUCTS = ['crypto', 'pix', 'credit_card', 'kyc'] as const
export type Product = (typeof PRODUCTS)[number]

/** What people of a tenant may be in its console; an operator is one of the deployment's own people. */
export const ROLES = ['owner', 'developer', 'support', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/** A person who is signed in at the console. */
export interface Person {
  id: string
  email: string
  role: Role | 'operator'
  /** When the person last proved to be there, as ISO 8601: what is dangerous asks for a recent proof. */
  provenAt: string
  /** The session in which this is asked. */
  sessionId?: string
  /** From where this request comes: the address, and what the browser calls itself, shortened. */
  from?: { address: string; agent: string }
}

/** Who calls: what the gateway found out about the API key and vouches for by a signature. */
export interface Caller {
  /** The tenant of the key; null for a platform key, which belongs to the deployment. */
  tenantId: string | null
  /** The key's own id, for the log. */
  keyId: string
  /** Products enabled both for the deployment and for the tenant. */
  products: readonly Product[]
  /** The fiat currencies that the tenant is narrowed to; all of the deployment's where it is not. */
  fiats?: readonly string[] | null
  /** Whose session it is, where the console calls; absent where a key does. */
  person?: Person
  /** What a key is narrowed to; a key without scopes may do all that its tenant may. */
  scopes?: readonly string[] | null
  /** The integration that uses the key, by its public id; absent for the tenant's default one. */
  publicClientId?: string
  /** The payment whose page a payer has open, by its id; absent where a key or a person calls. */
  pageOf?: string
}

/** A caller that is a tenant, with what one request adds; the second argument of every use case. */
export interface Tenant {
  id: string
  products: readonly Product[]
  requestId: string
  /** The integration whose key is used; absent for the tenant's default one. */
  publicClientId?: string
  /** The payment on whose page it is asked; absent where the tenant itself asks. */
  pageOf?: string
  /** Present when the request carries an `Idempotency-Key`. */
  idempotency?: IdempotencyRequest
  /**
   * Asks again whether the person who acts may do it, to be called in the transaction of the act; absent where a key acts.
   * @throws permission_denied, unauthorized, proof_required
   */
  assertMayStill?: () => Promise<void>
}

/** One request's claim to an idempotency key. */
export interface IdempotencyRequest {
  key: string
  /** HMAC-SHA256 (hex) of operation and input: the same key with another fingerprint is refused. */
  fingerprint: string
  /** Told when the first answer is given again. */
  onReplay: () => void
}

/**
 * What is wrong with the form of a `public_client_id`: a prefix and 32 hex characters, or a CUID; undefined where nothing is.
 * @param prefix the deployment's own; without one, letters and digits that begin with a letter, with or without `_` or `-`
 */
export function publicClientIdProblem(id: string, prefix: string | undefined): string | undefined {
  // A CUID was an integration's id once.
  const isValid =
    isId(id) ||
    (prefix === undefined
      ? /^[A-Za-z][A-Za-z0-9]*[_-]?[0-9a-f]{32}$/i.test(id)
      : id.startsWith(prefix) && /^[0-9a-f]{32}$/i.test(id.slice(prefix.length)))
  return isValid ? undefined : 'must be a prefix followed by 32 hex characters'
}

const TOKEN_LIFE_MS = 60_000

/**
 * Signs a caller for the subgraphs, which trust no other source: base64url JSON with its expiry, a dot, HMAC-SHA256.
 * A token lives 60 seconds: long enough for any request, short enough that one out of a log is worthless.
 * @param signingKey the deployment's key, 32 bytes
 */
export function signCaller(caller: Caller, signingKey: Buffer, clock: Clock): string {
  const body = Buffer.from(JSON.stringify({ ...caller, expiresAt: clock.now().getTime() + TOKEN_LIFE_MS })).toString(
    'base64url',
  )
  return `${body}.${hmacSha256(body, signingKey)}`
}

/** The caller in a token of `signCaller`, or undefined when it is not ours or has expired. */
export function verifyCaller(token: string, signingKey: Buffer, clock: Clock): Caller | undefined {
  const [body = '', mac = ''] = token.split('.')
  if (!equalTexts(mac, hmacSha256(body, signingKey))) return undefined
  const { expiresAt, ...caller } = JSON.parse(Buffer.from(body, 'base64url').toString()) as Caller & {
    expiresAt: number
  }
  return expiresAt > clock.now().getTime() ? caller : undefined
}
