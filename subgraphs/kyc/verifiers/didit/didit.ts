import { createHash } from 'node:crypto'
import { createHttpClient, toAppError, type HttpClient, type HttpRequest } from '../../../../kernel/http.js'
import { beginCall, hostOf, type WatchedProvider } from '../../../../kernel/provider-health/provider-calls.js'
import { ProviderError } from '../../../../kernel/provider-error.js'
import { CallbackRefused, type Verifier, type VerifierDefinition, type VerifierOptions } from '../verifier.js'
import { readBody } from './callback-body.js'
import { isRecent, isSigned } from './signature.js'
import { DIDIT, readDecision, readSession } from './wire.js'

/** Didit, API v3 (docs.didit.me). */
export const didit: VerifierDefinition = { name: DIDIT, create: createDidit }

function createDidit(options: VerifierOptions): Verifier {
  const { baseUrl, timeoutMs, log, apiKey, workflowIds } = options
  const watched = { provider: DIDIT, chain: '', host: hostOf(baseUrl) }
  const client = createHttpClient({ provider: DIDIT, baseUrl, timeoutMs, log, headers: { 'x-api-key': apiKey } })
  return {
    name: DIDIT,
    verifies: (kind) => workflowIds[kind] !== undefined,

    async createOrResumeSession({ subjectRef, kind }) {
      const body = { workflow_id: workflowIds[kind], vendor_data: subjectRef }
      // The vendor gives an unfinished session of the same vendor_data again, so the call can be repeated.
      return understood(
        watched,
        readSession,
        await ask(client, { method: 'POST', path: '/v3/session/', body, idempotent: true }),
      )
    },

    async getDecision(sessionId) {
      const body = await askIfThere(client, { method: 'GET', path: pathOf(sessionId, 'decision'), idempotent: true })
      return body === undefined ? undefined : understood(watched, readDecision, body)
    },

    async deleteSession(sessionId) {
      await askIfThere(client, { method: 'DELETE', path: pathOf(sessionId, 'delete'), idempotent: true })
    },

    readCallback(rawBody, headers) {
      const now = options.clock.now()
      // The cheapest check comes first: the sender has not shown yet that it is the vendor.
      if (!isRecent(headers['x-timestamp'], now)) throw new CallbackRefused('timestamp')
      if (!isSigned(rawBody, headers, options.webhookSecret)) throw new CallbackRefused('signature')
      const body = readBody(rawBody)
      // The header is not covered by every signature, the body's own time is: an old callback must not pass under a new header.
      const signedAt = body['timestamp']
      if (signedAt !== undefined && !isRecent(String(signedAt), now)) throw new CallbackRefused('timestamp')
      const sessionId = body['session_id']
      if (typeof sessionId !== 'string' || !/^[\w-]{1,100}$/.test(sessionId)) throw new CallbackRefused('malformed')
      return { sessionId, eventKey: createHash('sha256').update(rawBody).digest('hex') }
    },
  }
}

function pathOf(sessionId: string, what: 'decision' | 'delete'): string {
  return `/v3/session/${encodeURIComponent(sessionId)}/${what}/`
}

/** Reads an answer. Operators see one that we do not understand as a failure of the vendor's, though it came. */
function understood<Read>(watched: WatchedProvider, read: (body: unknown) => Read, body: unknown): Read {
  try {
    return read(body)
  } catch (error) {
    beginCall(watched)('protocol')
    throw error
  }
}

async function ask(client: HttpClient, request: HttpRequest): Promise<unknown> {
  try {
    return (await client.request(request)).body
  } catch (error) {
    throw toAppError(error)
  }
}

/** As `ask`, with null for an answer without a body, and undefined where the vendor has no such session. */
async function askIfThere(client: HttpClient, request: HttpRequest): Promise<unknown> {
  try {
    return (await client.request(request)).body ?? null
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'not_found') return undefined
    throw toAppError(error)
  }
}
