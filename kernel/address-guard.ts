import type { lookup as systemLookup, LookupAddress } from 'node:dns'
import http, { type IncomingHttpHeaders } from 'node:http'
import https from 'node:https'
import ipaddr from 'ipaddr.js'
import { recentlyUsed } from './recently-used.js'
import { isAcceptable } from './acceptable-address.js'
import { readBody, type BodyBeginning } from './answer-body.js'
import { systemClock, type Clock } from './clock.js'
import { keptConnections } from './kept-connections.js'
import { hostLookUps, type LookUpHost } from './look-up-host.js'
import { tenantQueue } from './tenant-queue.js'

/** What a guard lets through besides https to public addresses. */
export interface AddressGuardOptions {
  /** Also this machine's own addresses; for the sandbox. */
  allowLoopback: boolean
  /** Also http; for the sandbox. */
  allowHttp: boolean
  resolve?: LookUpHost
  clock?: Clock
}

/** One request to an address that a caller chose. */
export interface GuardedRequest {
  /** Who chose the address. */
  tenantId: string | null
  method: string
  headers: Readonly<Record<string, string>>
  body: string
  /** For the whole request, from the look-up of the name to the end of the answer. */
  timeoutMs: number
  /** Of the answer's body: the connection is closed where it is longer. */
  maxResponseBytes: number
  /** How much of the body is wanted; nothing of it is kept otherwise. */
  readsBody?: 'whole' | BodyBeginning
}

/** Why there was no answer. */
export type RequestFailure = 'address_refused' | 'lookup_failed' | 'timeout' | 'tls_failed' | 'connection_failed'

/**
 * Status and headers of the answer as soon as they are there, or why there is none. Where the body is wanted they come with
 * it, or without one that is too long or broke off; where its beginning is, with what came of it.
 */
export type GuardedAnswer =
  { status: number; headers: IncomingHttpHeaders; body?: Buffer | undefined } | { failure: RequestFailure }

/** Why a tenant's URL is not acceptable; undefined where it is. */
export type CheckAddress = (url: string, tenantId: string | null) => Promise<string | undefined>

/** The only way to send requests to URLs that callers chose. */
export interface AddressGuard {
  /**
   * Why the URL is not acceptable, or undefined where it is. A host's verdict is kept for its tenant for 60 seconds. A name that
   * cannot be looked up now is accepted: `request` judges it again, and a resolver's failure is not the caller's fault.
   */
  check: CheckAddress
  /** Sends one request to an address that was checked at this moment; follows no redirect and never throws. */
  request(url: string, request: GuardedRequest): Promise<GuardedAnswer>
  /** Closes the connections that are kept alive. */
  close(): void
}

const VERDICT_LIFE_MS = 60_000
const MAX_VERDICTS = 1000
/** A name that could not be looked up is accepted for this long before it is asked for again. */
const UNKNOWN_LIFE_MS = 5_000
/** A resolver that hangs must not hold a registration; a request has its own deadline. */
const CHECK_TIMEOUT_MS = 2_000
/** Of one tenant: names whose servers do not answer keep nobody waiting but the tenant that chose them. */
const LOOK_UPS = { running: 16, waiting: 256 }
const MAX_URL_LENGTH = 2048

const NOT_PUBLIC = 'must resolve to public addresses only'
const LOOPBACK_ADDRESSES: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** Makes a guard with connections and verdicts of its own. */
export function addressGuard(options: AddressGuardOptions): AddressGuard {
  const clock = options.clock ?? systemClock
  const resolve = options.resolve ?? hostLookUps()
  const lookUps = tenantQueue(LOOK_UPS)
  const agents = keptConnections()
  /** The addresses to connect to, or undefined where one of them is not acceptable. */
  async function addressesOf(
    { hostname, tenantId }: Host,
    deadline: Deadline,
  ): Promise<readonly LookupAddress[] | undefined> {
    const { signal, timeoutMs } = deadline
    const known = addressesWithoutLookup(hostname)
    const addresses = known ?? (await lookUps.run(tenantId, () => within(signal, resolve(hostname, signal)), timeoutMs))
    const acceptable = ({ address }: LookupAddress) => isAcceptable(address, options.allowLoopback)
    return addresses.length > 0 && addresses.every(acceptable) ? addresses : undefined
  }

  const verdictOf = verdictCache(clock, addressesOf)

  return {
    check(text, tenantId) {
      const url = readUrl(text, options)
      if (typeof url === 'string') return Promise.resolve(url)
      return verdictOf({ hostname: bareHostname(url), tenantId })
    },

    async request(text, request) {
      const url = readUrl(text, options)
      if (typeof url === 'string') return { failure: 'address_refused' }
      const { tenantId, timeoutMs } = request
      const signal = AbortSignal.timeout(timeoutMs)
      let addresses: readonly LookupAddress[] | undefined
      try {
        addresses = await addressesOf({ hostname: bareHostname(url), tenantId }, { signal, timeoutMs })
      } catch {
        return { failure: signal.aborted ? 'timeout' : 'lookup_failed' }
      }
      if (!addresses) return { failure: 'address_refused' }
      const agent = url.protocol === 'https:' ? agents['https:'] : agents['http:']
      const answer = await send(url, request, { addresses, signal, agent })
      // The other side closed an idle connection while we took it up: nothing was wrong but the moment.
      return answer === 'stale_connection'
        ? finish(await send(url, request, { addresses, signal, agent: false }))
        : answer
    },

    close() {
      agents['http:'].destroy()
      agents['https:'].destroy()
    },
  }
}

interface Host {
  hostname: string
  /** Who chose it. */
  tenantId: string | null
}

interface Deadline {
  signal: AbortSignal
  timeoutMs: number
}

/**
 * Answers why a name is not acceptable, from memory where its tenant asked within the last minute. Its calls for a name at the
 * same time share one look-up.
 */
function verdictCache(
  clock: Clock,
  addressesOf: (host: Host, deadline: Deadline) => Promise<unknown>,
): (host: Host) => Promise<string | undefined> {
  const verdicts = recentlyUsed<string, { verdict: Promise<string | undefined>; until: number }>(MAX_VERDICTS)

  async function ask(key: string, host: Host): Promise<string | undefined> {
    const deadline = { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS), timeoutMs: CHECK_TIMEOUT_MS }
    try {
      const addresses = await addressesOf(host, deadline)
      return addresses ? undefined : NOT_PUBLIC
    } catch {
      // A resolver's failure says nothing about the name. That it failed is kept for a moment only, so that not every
      // registration waits for a resolver that hangs.
      const entry = verdicts.get(key)
      if (entry) entry.until = Math.min(entry.until, clock.now().getTime() + UNKNOWN_LIFE_MS)
      return undefined
    }
  }

  return (host) => {
    const now = clock.now().getTime()
    const key = `${host.tenantId ?? ''} ${host.hostname}`
    const kept = verdicts.get(key)
    if (kept && kept.until > now) return kept.verdict
    const entry = { verdict: ask(key, host), until: now + VERDICT_LIFE_MS }
    verdicts.set(key, entry)
    return entry.verdict
  }
}

/** The parsed URL, or why it is not acceptable whatever its host resolves to. */
function readUrl(text: string, options: AddressGuardOptions): URL | string {
  const url = text.length <= MAX_URL_LENGTH ? URL.parse(text) : null
  if (!url) return 'must be an absolute URL'
  const allowed = options.allowHttp ? ['https:', 'http:'] : ['https:']
  if (!allowed.includes(url.protocol))
    return options.allowHttp ? 'must be an http or https URL' : 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not carry credentials'
  return url
}

/** The host as resolver and socket want it. WHATWG's parser has already written every notation of an IPv4 alike. */
function bareHostname(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/** The addresses of a host that needs no look-up: an address, or this machine's own name (RFC 6761, 6.3). */
function addressesWithoutLookup(hostname: string): readonly LookupAddress[] | undefined {
  if (ipaddr.isValid(hostname)) return [{ address: hostname, family: hostname.includes(':') ? 6 : 4 }]
  return /(^|\.)localhost\.?$/.test(hostname) ? LOOPBACK_ADDRESSES : undefined
}

/** What `work` gives, or a rejection once the signal aborts. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      reject(new Error('the deadline has passed'))
    }
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', giveUp)
    })
  })
}

/** A look-up for sockets that knows only what was checked, so that no second answer of the resolver can matter. */
function pinnedLookup(addresses: readonly LookupAddress[]): typeof systemLookup {
  const [first] = addresses
  const answer = (_hostname: string, options: { all?: boolean }, done: (...result: unknown[]) => void) => {
    if (options.all === true) done(null, addresses)
    else done(null, first?.address, first?.family)
  }
  return answer as typeof systemLookup
}

/** Sends the request to the given addresses under the URL's own name (Host and SNI). */
function send(
  url: URL,
  request: GuardedRequest,
  to: { addresses: readonly LookupAddress[]; signal: AbortSignal; agent: http.Agent | false },
): Promise<GuardedAnswer | 'stale_connection'> {
  return new Promise((resolve) => {
    const outgoing = (url.protocol === 'https:' ? https : http).request({
      protocol: url.protocol,
      hostname: bareHostname(url),
      port: url.port,
      path: `${url.pathname}${url.search}`,
      method: request.method,
      headers: { ...request.headers, host: url.host, 'content-length': String(Buffer.byteLength(request.body)) },
      agent: to.agent,
      signal: to.signal,
      lookup: pinnedLookup(to.addresses),
    })
    let isAnswered = false
    outgoing.on('response', (response) => {
      isAnswered = true
      const { statusCode: status = 0, headers } = response
      void readBody(response, request).then((body) => {
        resolve({ status, headers, body })
      })
    })
    // A request that is still to get a connection says nothing of its end.
    const giveUp = (): void => {
      if (!isAnswered) resolve({ failure: 'timeout' })
    }
    to.signal.addEventListener('abort', giveUp, { once: true })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (isAnswered) return
      const stale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      resolve(stale ? 'stale_connection' : { failure: to.signal.aborted ? 'timeout' : failureOf(error) })
    })
    // Such as an answer that asks to switch protocols: Node closes the connection and emits nothing else.
    outgoing.on('close', () => {
      to.signal.removeEventListener('abort', giveUp)
      if (!isAnswered) resolve({ failure: 'connection_failed' })
    })
    outgoing.end(request.body)
  })
}

function finish(answer: GuardedAnswer | 'stale_connection'): GuardedAnswer {
  return answer === 'stale_connection' ? { failure: 'connection_failed' } : answer
}

/** OpenSSL's verification codes (`CERT_HAS_EXPIRED`, `DEPTH_ZERO_SELF_SIGNED_CERT`, `UNABLE_TO_…`) have no common prefix. */
function failureOf({ code = '' }: NodeJS.ErrnoException): RequestFailure {
  return /^ERR_(TLS|SSL)|CERT|^UNABLE_TO|^EPROTO$/.test(code) ? 'tls_failed' : 'connection_failed'
}
