import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHttpServer } from '../../gateway/http.js'
import { remoteExecutor } from '../../gateway/subgraph-client.js'
import { loadSupergraph } from '../../gateway/supergraph.js'
import type { AuthenticatedRequest } from '../../gateway/authentication/hook.js'
import { systemClock } from '../../kernel/clock.js'
import { createLog } from '../../kernel/log.js'
import { PRODUCTS } from '../../kernel/tenant.js'
import { loadOperations } from '../../rest-compat/operation.js'
import { failed, mountRest, notFound } from '../../rest-compat/server.js'
import type { Answer, Body } from './http.js'

/** What is a good query of every path that takes one. */
const GOOD_QUERY = '?email=ana@example.com&from=BRL&to=USDT'

/**
 * How the codes are provoked that every route may answer, as the part of the product behind it may be down.
 * @param body a good one, for those that take one
 */
export function overDeadSubgraphs(
  method: string,
  path: string,
  body: () => unknown,
): Record<'provider_unavailable' | 'provider_timeout', () => Promise<Answer>> {
  const ask = (state: 'dead' | 'silent') => async (): Promise<Answer> =>
    method === 'GET'
      ? askOverDeadSubgraphs(state, { method, path: `${path}${GOOD_QUERY}`, body: undefined })
      : askOverDeadSubgraphs(state, { method, path, body: await body() })
  return { provider_unavailable: ask('dead'), provider_timeout: ask('silent') }
}

/**
 * Asks the REST layer whose subgraphs are all in another process, which is dead, or takes requests and never answers.
 * The caller has every product.
 */
async function askOverDeadSubgraphs(
  state: 'dead' | 'silent',
  { method, path, body }: { method: string; path: string; body: unknown },
): Promise<Answer> {
  const server = createServer(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  if (state === 'dead') close()
  const log = createLog('silent')
  const shared = { signingKey: Buffer.alloc(32), clock: systemClock, log, deadlines: { queryMs: 50, mutationMs: 50 } }
  const subgraphs = Object.fromEntries(
    ['payments', 'orders', 'yield', 'kyc', 'accounts'].map((name) => [
      name,
      remoteExecutor({ ...shared, name, url: `http://127.0.0.1:${port}/${name}/graphql` }),
    ]),
  )
  const supergraph = await loadSupergraph(subgraphs, log)
  const app = createHttpServer({ isReady: () => Promise.resolve(true) }, () => 'request-1', {
    notFound: notFound(() => false),
    failed: failed(createLog('silent')),
  })
  mountRest(app, {
    supergraph,
    subgraphs,
    operations: loadOperations(supergraph.apiSchema),
    admission: { run: (_operation, context, work) => work(context) },
    fingerprintKey: Buffer.alloc(32),
    authenticate: (request: AuthenticatedRequest) => {
      request.caller = { tenantId: 'tenant', keyId: 'key', products: PRODUCTS }
      return false
    },
    log,
  })
  try {
    const reply = await app.inject({
      method: method as 'POST',
      url: path,
      ...(body !== undefined && { payload: body as object }),
    })
    return {
      status: reply.statusCode,
      headers: reply.headers as Answer['headers'],
      text: reply.payload,
      body: reply.json<Body>(),
    }
  } finally {
    await app.close()
    await supergraph.stop()
    close()
  }
}
