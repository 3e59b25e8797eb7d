import { GraphQLError, OperationTypeNode, getOperationAST, print, type DocumentNode } from 'graphql'
import { readText } from '../kernel/answer-body.js'
import { ANSWER_MAX_BYTES } from '../kernel/answer-size.js'
import type { Clock } from '../kernel/clock.js'
import { AppError } from '../kernel/errors.js'
import { invalidTextError } from '../kernel/invalid-text-error.js'
import type { Logger } from '../kernel/log.js'
import {
  IDEMPOTENCY_FINGERPRINT,
  IDEMPOTENCY_KEY,
  REQUEST_ID,
  YIELDS_TO_OTHERS,
  TENANT_CONTEXT,
} from '../kernel/subgraph-http.js'
import type { SubgraphExecutor, SubgraphRequest, SubgraphResult } from '../kernel/subgraph.js'
import { signCaller } from '../kernel/tenant.js'
import { traceHeaders } from '../kernel/tracing.js'

/** How long a subgraph may take for one operation, in milliseconds. */
export interface Deadlines {
  /** Reads. Those that ask a chain or a provider have deadlines of their own within it. */
  queryMs: number
  /** Longer than any mutation may take, so that its own answer is the one that counts. */
  mutationMs: number
}

const DEADLINES: Deadlines = { queryMs: 30_000, mutationMs: 60_000 }

export interface RemoteOptions {
  /** The subgraph's, for the log. */
  name: string
  url: string
  signingKey: Buffer
  clock: Clock
  log: Logger
  deadlines?: Deadlines
}

/**
 * An executor for a subgraph in another process. It speaks plain GraphQL over HTTP on connections that fetch keeps alive;
 * the tenant context goes along signed, as the subgraph trusts no other source. Nothing is sent twice: whether a mutation whose
 * answer was lost has done its work is not known here, and its caller repeats it with its idempotency key.
 * @throws (the function returned) provider_timeout past the deadline, provider_unavailable where the subgraph cannot be
 *   reached or gives no whole GraphQL answer, answer_too_large; the cause is in the log, with the subgraph's name
 */
export function remoteExecutor(options: RemoteOptions): SubgraphExecutor {
  const { name, log } = options
  const prepared = new WeakMap<DocumentNode, Prepared>()
  return async (request) => {
    const { document, operationName, variables, context } = request
    // As the subgraph would; and what is nested too deep could not even be written.
    const invalid = invalidTextError(document, variables, operationName)
    if (invalid) return { errors: [invalid] }
    const known = prepared.get(document) ?? prepare(document, options.deadlines ?? DEADLINES)
    prepared.set(document, known)
    try {
      const body = await ask(options, request, known)
      if (body.extensions?.idempotentReplayed) context.idempotency?.onReplay()
      return resultOf(body)
    } catch (error) {
      if (error instanceof AppError) throw error
      const late = error instanceof Error && error.name === 'TimeoutError'
      log.error({ requestId: context.requestId, subgraph: name, err: error }, 'a subgraph did not answer')
      throw new AppError(late ? 'provider_timeout' : 'provider_unavailable')
    }
  }
}

interface Prepared {
  text: string
  deadlineMs: number
}

function prepare(document: DocumentNode, { queryMs, mutationMs }: Deadlines): Prepared {
  // Where there are several operations and one is named, the longer deadline is right for all.
  const isQuery = getOperationAST(document)?.operation === OperationTypeNode.QUERY
  return { text: print(document), deadlineMs: isQuery ? queryMs : mutationMs }
}

async function ask(
  { url, signingKey, clock }: RemoteOptions,
  { operationName, variables, context }: SubgraphRequest,
  prepared: Prepared,
): Promise<WireResult> {
  const { idempotency, requestId, caller } = context
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(prepared.deadlineMs),
    headers: {
      'content-type': 'application/json',
      [TENANT_CONTEXT]: signCaller(caller, signingKey, clock),
      [REQUEST_ID]: requestId,
      ...traceHeaders(),
      ...(context.yieldsToOthers && { [YIELDS_TO_OTHERS]: '1' }),
      ...(idempotency && { [IDEMPOTENCY_KEY]: idempotency.key, [IDEMPOTENCY_FINGERPRINT]: idempotency.fingerprint }),
    },
    body: JSON.stringify({ query: prepared.text, operationName, variables }),
  })
  // A proxy's page, or a process that is not ours: neither is an answer. What it says may quote what we sent.
  const type = response.headers.get('content-type') ?? 'nothing'
  if (!response.ok || !type.startsWith('application/json')) {
    await response.body?.cancel()
    throw new Error(`it answered ${response.status} with ${type.slice(0, 50)}, which is no answer of a subgraph`)
  }
  const body = parseAnswer(await textOf(response))
  if (body === undefined) throw new Error('its answer is not whole, or not of GraphQL')
  return body
}

/** @throws answer_too_large once more was read than any answer may have */
async function textOf(response: Response): Promise<string> {
  const announced = response.headers.get('content-length')
  if (announced !== null && Number(announced) <= ANSWER_MAX_BYTES) return response.text()
  const text = await readText(response, ANSWER_MAX_BYTES)
  if (text === undefined) throw new AppError('answer_too_large')
  return text
}

/** The parser's own error would quote the text, which may hold anything. */
function parseAnswer(text: string): WireResult | undefined {
  try {
    const body = JSON.parse(text) as WireResult | null
    if (typeof body !== 'object' || body === null) return undefined
    return typeof body.data === 'object' || Array.isArray(body.errors) ? body : undefined
  } catch {
    return undefined
  }
}

function resultOf({ data, errors }: WireResult): SubgraphResult {
  return {
    ...(data !== undefined && { data }),
    ...(errors && {
      errors: errors.map(
        ({ message, path, extensions }) =>
          new GraphQLError(message, { ...(path && { path }), ...(extensions && { extensions }) }),
      ),
    }),
  }
}

interface WireResult {
  data?: SubgraphResult['data']
  errors?: { message: string; path?: (string | number)[]; extensions?: Record<string, unknown> }[]
  extensions?: { idempotentReplayed?: boolean }
}
