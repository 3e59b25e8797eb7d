import type { Clock } from '../../kernel/clock.js'
import type { Caller, Person, Product } from '../../kernel/tenant.js'
import { readApiKeyHeader, type ApiKeyHeaderCase } from './api-key-header.js'
import { keyCache, type CachedKey } from './key-cache.js'
import { keyLookUps } from './key-look-ups.js'
import { takeEvent } from '../rate-limit/event-rate.js'
import type { RateShare } from '../rate-limit/rate-limit-sync.js'
import { rateHeaders, type RateVerdict } from '../rate-limit/rate-headers.js'
import { rateLimit } from '../rate-limit/rate-limit.js'

/** What the accounts subgraph says of a valid key. */
export interface KeyStatus {
  keyId: string
  /** Null for a platform key, which belongs to the deployment. */
  tenantId: string | null
  /** The tenant's products; of no meaning for a platform key. */
  products: readonly Product[]
  /** The fiat currencies that the tenant is narrowed to; null where it is not. */
  fiats: readonly string[] | null
  /** ISO 8601; null for never. */
  expiresAt: string | null
  /** What a key is narrowed to; absent or null where it may do all. */
  scopes?: readonly string[] | null
  /** The integration that uses the key; absent or null for the tenant's default one. */
  publicClientId?: string | null
  /** Whose it is, where it is no key but a session at the console. */
  person?: Person
}

export interface AuthenticationOptions {
  clock: Clock
  /** The hash of a key's text, undefined where the text has not the form of a key: that is refused without a look-up. */
  hashKey: (text: string) => string | undefined
  /** Whether a text of that form can be a key, by its checksum. Asked where nothing is known of its hash. */
  isKey: (text: string) => boolean
  /** Looks a key up by its hash; null where it is unknown, expired or revoked. Rejects when it cannot tell. */
  keyStatus: (hash: string) => Promise<KeyStatus | null>
  /** The products of the deployment. */
  products: readonly Product[]
  apiKeyHeader: ApiKeyHeaderCase
  /** Requests per minute and key; 0 is no limit. */
  limitPerMinute: number
  /** How processes share their counts; without it each counts for itself. */
  share?: RateShare
}

/** Whether a request may run. `headers` belong on its answer in any case. */
export type AuthenticationVerdict =
  | { kind: 'ok'; caller: Caller; keyHash: string; headers: Record<string, string>; rate: RateVerdict }
  | { kind: 'forbidden'; hint: string; headers: Record<string, string> }
  /** `rate` is left out where the address is refused, and not a key. */
  | { kind: 'rate'; retryAfterSeconds: number; headers: Record<string, string>; rate?: RateVerdict }
  | { kind: 'unauthorized'; headers: Record<string, string> }
  /** The key's status cannot be found out now: `cause` is why. */
  | { kind: 'failed'; cause: unknown; headers: Record<string, string> }

export interface Authentication {
  /**
   * Decides about a request by its key: form of the header, rate, key, in this order. Answers at once where all is known
   * already, otherwise with a promise.
   * @param rawHeaders Node's `rawHeaders`
   * @param address whose request it is, as far as the connection tells
   * @param sessionHash by what a request is known that has no key, or what may have been meant as one, but a session; none where left out
   */
  check(
    rawHeaders: readonly string[],
    address: string,
    sessionHash?: () => string | undefined,
  ): AuthenticationVerdict | Promise<AuthenticationVerdict>
  /**
   * Counts further requests against the rate of a key that was let in, for what is worth more than one.
   * @param count how many besides the one that was counted
   */
  charge(keyHash: string, count: number): RateVerdict | Promise<RateVerdict>
  /** The same of what comes by itself, for which no request was counted: it takes a part of the rate at most. */
  chargeEvent(keyHash: string, count: number): Promise<RateVerdict>
  /** Whose key it is that was let in; null once it is expired or revoked, at most five seconds after that. */
  callerOf(keyHash: string): Caller | null | Promise<Caller | null>
  /** Shares the last counts. The database has to be closed after that. */
  close(): Promise<void>
}

const MAX_KEYS = 10_000
const MAX_UNKNOWN_KEYS = 10_000

/** The gateway's authentication: who calls, and whether the key's rate allows it. */
export function createAuthentication(options: AuthenticationOptions): Authentication {
  const { clock, apiKeyHeader, limitPerMinute, share } = options
  const callers = keyCache<Caller>({
    ...{ clock, maxKnown: MAX_KEYS, maxUnknown: MAX_UNKNOWN_KEYS },
    load: async (hash) => statusOf(await options.keyStatus(hash), options.products),
  })
  const limit = { limit: limitPerMinute, clock }
  const rate = rateLimit({ ...limit, maxKeys: MAX_KEYS, ...(share && { share }) })
  // Well-formed keys that do not exist cost the caller alone: they fill neither the keys' memory nor the shared table.
  const unknownKeysRate = rateLimit({ ...limit, maxKeys: MAX_UNKNOWN_KEYS })
  const lookUp = keyLookUps(clock)
  const untouched = rateHeaders({ allowed: true, limit: limitPerMinute, remaining: limitPerMinute, resetSeconds: 60 })

  function check(
    rawHeaders: readonly string[],
    address: string,
    sessionHash: () => string | undefined = () => undefined,
  ): AuthenticationVerdict | Promise<AuthenticationVerdict> {
    const header = readApiKeyHeader(rawHeaders, apiKeyHeader)
    if (header.kind === 'wrong-form') return { kind: 'forbidden', hint: header.hint, headers: untouched }
    const keyHash = header.kind === 'key' ? keyHashOf(options, callers, header.key) : sessionHash()
    if (keyHash === undefined) return { kind: 'unauthorized', headers: untouched }
    return checkHash(keyHash, address)
  }

  function checkHash(keyHash: string, address: string): AuthenticationVerdict | Promise<AuthenticationVerdict> {
    const known = callers.lastKnown(keyHash)
    return known ? withVerdict(keyHash, rate.take(rateKeyOf(keyHash, known))) : identifyFirst(keyHash, address)
  }

  /** A key of which nothing is known: it is identified before it is counted. */
  async function identifyFirst(keyHash: string, address: string): Promise<AuthenticationVerdict> {
    // What is known already, or is looked up for another request, costs the address nothing.
    const found = callers.isUnknown(keyHash) ? Promise.resolve(null) : callers.underWay(keyHash)
    const looked = found ? found.then((caller) => ({ found: caller })) : lookUp(address, () => callers.get(keyHash))
    // Of a key that cannot be looked up nothing is known, and nothing was counted.
    return looked.then((look) => {
      if ('found' in look) return countFirst(keyHash, look.found)
      return { kind: 'rate', retryAfterSeconds: look.waitSeconds, headers: untouched }
    }, failed(untouched))
  }

  async function countFirst(keyHash: string, caller: Caller | null): Promise<AuthenticationVerdict> {
    const verdict = await (caller ? rate.take(rateKeyOf(keyHash, caller)) : unknownKeysRate.take(keyHash))
    return decide(keyHash, verdict, caller)
  }

  function withVerdict(
    keyHash: string,
    verdict: RateVerdict | Promise<RateVerdict>,
  ): AuthenticationVerdict | Promise<AuthenticationVerdict> {
    if (verdict instanceof Promise) return verdict.then((settled) => withVerdict(keyHash, settled))
    if (!verdict.allowed) return decide(keyHash, verdict, null)
    const caller = callers.get(keyHash)
    if (!(caller instanceof Promise)) return decide(keyHash, verdict, caller)
    return caller.then((found) => decide(keyHash, verdict, found), failed(rateHeaders(verdict)))
  }

  return {
    check,
    // With the one that was counted, what is worth more than a whole window fills an empty one.
    charge: (keyHash, count) => rate.take(knownRateKey(callers, keyHash), Math.min(count, limitPerMinute - 1)),
    chargeEvent: (keyHash, count) =>
      takeEvent(rate, knownRateKey(callers, keyHash), Math.min(count, limitPerMinute - 1)),
    callerOf: (keyHash) => callers.get(keyHash),
    close: () => rate.close(),
  }
}

/** The hash of a key, undefined where it cannot be one. The checksum of one that is known was looked at when it came first. */
function keyHashOf(
  { hashKey, isKey }: AuthenticationOptions,
  callers: { lastKnown: (keyHash: string) => Caller | undefined },
  text: string,
): string | undefined {
  const keyHash = hashKey(text)
  return keyHash !== undefined && (callers.lastKnown(keyHash) || isKey(text)) ? keyHash : undefined
}

/**
 * Whose rate a request counts against: a key's own. A person has one rate, however many sessions, and however often one of them
 * changed: each change gives it another hash.
 */
function rateKeyOf(keyHash: string, caller: Caller | undefined): string {
  return caller?.person ? caller.keyId : keyHash
}

/** The same of a key that was let in. */
function knownRateKey(callers: { lastKnown: (keyHash: string) => Caller | undefined }, keyHash: string): string {
  return rateKeyOf(keyHash, callers.lastKnown(keyHash))
}

/** The verdict on a key that cannot be looked up now. */
function failed(headers: Record<string, string>): (cause: unknown) => AuthenticationVerdict {
  return (cause) => ({ kind: 'failed', cause, headers })
}

/** Whether a request was let in by a key of the deployment. Throws where its key cannot be looked up. */
export function isByPlatformKey(verdict: AuthenticationVerdict): boolean {
  if (verdict.kind === 'failed') throw verdict.cause
  return verdict.kind === 'ok' && verdict.caller.tenantId === null
}

function decide(keyHash: string, verdict: RateVerdict, caller: Caller | null): AuthenticationVerdict {
  const headers = rateHeaders(verdict)
  if (!verdict.allowed) return { kind: 'rate', retryAfterSeconds: verdict.resetSeconds, headers, rate: verdict }
  return caller ? { kind: 'ok', caller, keyHash, headers, rate: verdict } : { kind: 'unauthorized', headers }
}

function statusOf(status: KeyStatus | null, deployment: readonly Product[]): CachedKey<Caller> | null {
  if (status === null) return null
  const { tenantId, keyId, products, fiats, expiresAt, scopes, publicClientId, person } = status
  return {
    value: {
      tenantId,
      keyId,
      products: tenantId === null ? deployment : deployment.filter((p) => products.includes(p)),
      ...(fiats && { fiats }),
      ...(scopes && { scopes }),
      ...(publicClientId != null && { publicClientId }),
      ...(person && { person }),
    },
    expiresAtMs: expiresAt === null ? Infinity : Date.parse(expiresAt),
  }
}
