import 'reflect-metadata'
import type { FastifyInstance } from 'fastify'
import { createHttpServer } from '../../gateway/http.js'
import { remoteExecutor } from '../../gateway/subgraph-client.js'
import { loadSupergraph, type SupergraphExecutor } from '../../gateway/supergraph.js'
import type { AuthenticatedRequest } from '../../gateway/authentication/hook.js'
import { systemClock } from '../../kernel/clock.js'
import { createLog } from '../../kernel/log.js'
import { PRODUCTS } from '../../kernel/tenant.js'
import { loadOperations } from '../../rest-compat/operation.js'
import { failed, mountRest, notFound } from '../../rest-compat/server.js'
import { SUBGRAPH_NAMES } from '../../app/start-subgraphs.js'
import { loadWholeSchema } from './api-schema.js'
import { ending } from './at-end.js'
import type { Answer, Body } from './http.js'
import { deadUrl, serve } from './serve.js'

/**
 * Starts the REST layer twice over subgraphs that are all in another process: one that is dead, and one that takes
 * requests and never answers. The caller has every product.
 * @returns how the codes are provoked that every route may answer, as the part of the product behind it may be down; its
 *   `path` has a good query and its `body` is a good one, for routes that take one
 */
export async function startDeadSubgraphs(): Promise<
  (
    method: string,
    path: string,
    body: () => unknown,
  ) => Record<'provider_unavailable' | 'provider_timeout', () => Promise<Answer>>
> {
  // A slow machine must not take the dead one for a silent one.
  const dead = await restOver(await deadUrl(), 20_000)
  const silent = await restOver((await serve(() => undefined)).url, 50)
  return (method, path, body) => {
    const ask = (app: FastifyInstance) => async (): Promise<Answer> => {
      const payload = method === 'GET' ? undefined : ((await body()) as object | undefined)
      const reply = await app.inject({ method: method as 'POST', url: path, ...(payload !== undefined && { payload }) })
      const { statusCode: status, headers, payload: text } = reply
      return { status, headers: headers as Answer['headers'], text, body: reply.json<Body>() }
    }
    return { provider_unavailable: ask(dead), provider_timeout: ask(silent) }
  }
}

/** The REST layer over subgraphs at an address. */
async function restOver(url: string, deadlineMs: number): Promise<FastifyInstance> {
  const log = createLog('silent')
  const deadlines = { queryMs: deadlineMs, mutationMs: deadlineMs }
  const shared = { signingKey: Buffer.alloc(32), clock: systemClock, log, deadlines }
  const subgraphs = Object.fromEntries(
    SUBGRAPH_NAMES.map((name) => [name, remoteExecutor({ ...shared, name, url: `${url}/${name}/graphql` })]),
  )
  return restOverGraph(ending(loadSupergraph(subgraphs, log)), subgraphs)
}

/** The REST layer over any graph, for a caller that has every product. */
export function restOverGraph(
  supergraph: SupergraphExecutor,
  subgraphs: Parameters<typeof mountRest>[1]['subgraphs'],
): FastifyInstance {
  const log = createLog('silent')
  const app = createHttpServer(
    () => Promise.resolve(true),
    () => 'request-1',
    {
      notFound: notFound(() => 'admitted'),
      failed: failed(log),
    },
  )
  mountRest(app, {
    supergraph,
    subgraphs,
    operations: loadOperations(loadWholeSchema()),
    admission: { run: (_operation, context, work) => work(context) },
    fingerprintKey: Buffer.alloc(32),
    authenticate: (request: AuthenticatedRequest) => {
      request.caller = { tenantId: 'tenant', keyId: 'key', products: PRODUCTS }
      return 'admitted'
    },
    log,
  })
  return ending(app)
}
