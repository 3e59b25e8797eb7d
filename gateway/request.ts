import type { IncomingHttpHeaders } from 'node:http'
import { validationError } from '../kernel/errors.js'
import { hmacSha256 } from '../kernel/hmac.js'
import type { RequestContext } from '../kernel/subgraph.js'
import type { Caller } from '../kernel/tenant.js'

/** What a request's answer has to tell besides its body. */
export interface RequestOutcome {
  /** Set when the first answer of an idempotency key was given again. */
  replayed: boolean
}

/** The header of an idempotency key, as Node names it, and as failures do. */
export const KEY_HEADER = 'idempotency-key'
/** The longest `Idempotency-Key`, in characters. */
const KEY_MAX = 255

/** The values of all `Idempotency-Key` headers of a request: Node joins two of them to one, which neither of them is. */
export function idempotencyKeysOf({
  headers,
  rawHeaders,
}: {
  headers: IncomingHttpHeaders
  rawHeaders: readonly string[]
}): string[] {
  if (headers[KEY_HEADER] === undefined) return []
  return rawHeaders.filter((_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === KEY_HEADER)
}

/** Who asks, and under which idempotency key. */
interface KeyedRequest {
  caller: Caller
  requestId: string
  /** As `idempotencyKeysOf` gives them. */
  idempotencyKeys: readonly string[]
  /** What stands before the key, where it is good within something only. */
  keyScope?: string
}

/** The id of a request: the caller's own where it sent one that is fit for a log, otherwise a new one. */
export function requestIdOf(headers: IncomingHttpHeaders, newId: () => string): string {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && /^[\w.:-]{8,128}$/.test(sent) ? sent : newId()
}

/**
 * The context that one operation runs in.
 * @param operation what is asked for, as text: with another operation or input the same idempotency key is refused
 * @param fingerprintKey the deployment's, 32 bytes: the text may hold a card's number, and a reader of a plain hash could
 *   try all of them
 * @throws validation_error where the `Idempotency-Key` is empty, longer than 255 characters, or sent more than once
 */
export function requestContext(
  { caller, requestId, idempotencyKeys, keyScope = '' }: KeyedRequest,
  operation: { writes: boolean; text: () => string },
  fingerprintKey: Buffer,
): { context: RequestContext; outcome: RequestOutcome } {
  const outcome: RequestOutcome = { replayed: false }
  const [sent, ...others] = operation.writes ? idempotencyKeys : []
  if (sent === undefined) return { context: { caller, requestId }, outcome }
  if (others.length > 0) throw validationError([{ field: KEY_HEADER, message: 'must be sent once' }])
  if (sent === '' || sent.length > KEY_MAX) {
    throw validationError([{ field: KEY_HEADER, message: `must have 1 to ${KEY_MAX} characters` }])
  }
  const key = `${keyScope}${sent}`
  const onReplay = (): void => {
    outcome.replayed = true
  }
  const fingerprint = hmacSha256(operation.text(), fingerprintKey)
  return { context: { caller, requestId, idempotency: { key, fingerprint, onReplay } }, outcome }
}
