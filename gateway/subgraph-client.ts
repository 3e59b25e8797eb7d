import { GraphQLError, print, type DocumentNode } from 'graphql'
import type { Clock } from '../kernel/clock.js'
import { IDEMPOTENCY_FINGERPRINT, IDEMPOTENCY_KEY, REQUEST_ID, TENANT_CONTEXT } from '../kernel/subgraph-http.js'
import type { SubgraphExecutor, SubgraphResult } from '../kernel/subgraph.js'
import { signCaller } from '../kernel/tenant.js'

/** Longer than any operation may take, so that the operation's own answer is the one that counts. */
const TIMEOUT_MS = 60_000

/**
 * An executor for a subgraph in another process. It speaks plain GraphQL over HTTP on connections that fetch keeps alive;
 * the tenant context goes along signed, as the subgraph trusts nobody else.
 */
export function remoteExecutor(options: { url: string; signingKey: Buffer; clock: Clock }): SubgraphExecutor {
  const { url, signingKey, clock } = options
  const texts = new WeakMap<DocumentNode, string>()
  return async ({ document, operationName, variables, context }) => {
    const query = texts.get(document) ?? print(document)
    texts.set(document, query)
    const { idempotency, requestId, caller } = context
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'content-type': 'application/json',
        [TENANT_CONTEXT]: signCaller(caller, signingKey, clock),
        [REQUEST_ID]: requestId,
        ...(idempotency && { [IDEMPOTENCY_KEY]: idempotency.key, [IDEMPOTENCY_FINGERPRINT]: idempotency.fingerprint }),
      },
      body: JSON.stringify({ query, operationName, variables }),
    })
    const body = (await response.json()) as WireResult
    if (body.extensions?.idempotentReplayed) idempotency?.onReplay()
    return {
      ...(body.data !== undefined && { data: body.data }),
      ...(body.errors && {
        errors: body.errors.map(
          ({ message, path, extensions }) =>
            new GraphQLError(message, { ...(path && { path }), ...(extensions && { extensions }) }),
        ),
      }),
    }
  }
}

interface WireResult {
  data?: SubgraphResult['data']
  errors?: { message: string; path?: (string | number)[]; extensions?: Record<string, unknown> }[]
  extensions?: { idempotentReplayed?: boolean }
}
