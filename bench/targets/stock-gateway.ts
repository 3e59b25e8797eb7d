import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApolloGateway, RemoteGraphQLDataSource, type GraphQLDataSourceProcessOptions } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import fastifyApollo, { fastifyApolloDrainPlugin } from '@as-integrations/fastify'
import fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'
import { idempotencyKeysOf, requestContext } from '../../gateway/request.js'
import { systemClock } from '../../kernel/clock.js'
import { idSource } from '../../kernel/ids.js'
import { projectRoot } from '../../kernel/root.js'
import { IDEMPOTENCY_FINGERPRINT, IDEMPOTENCY_KEY, REQUEST_ID, TENANT_CONTEXT } from '../../kernel/subgraph-http.js'
import type { RequestContext } from '../../kernel/subgraph.js'
import { PRODUCTS, signCaller } from '../../kernel/tenant.js'
import { handwrittenGuard } from './guard.js'
import type { TargetSettings } from './settings.js'

/** A deployment derives its own. */
const FINGERPRINT_KEY = Buffer.alloc(32, 1)

type Request = FastifyRequest & { tenantId?: string; keyId?: string }

/**
 * Apollo's gateway as its documentation sets it up: the committed supergraph, Apollo Server, subgraphs over HTTP. It has the
 * authentication of the hand-written routes and the product's HTTP server, so that what differs is the gateway.
 */
export async function serveStockGateway(settings: TargetSettings): Promise<void> {
  const newId = idSource(() => new Date())
  const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: 4 })
  const guard = handwrittenGuard(pool, settings.limitPerMinute)
  const signingKey = Buffer.from(settings.linkKey, 'hex')
  const gateway = new ApolloGateway({
    supergraphSdl: readFileSync(join(projectRoot, 'schema', 'supergraph.graphql'), 'utf8'),
    buildService: ({ name }) =>
      new RemoteGraphQLDataSource({
        url: `http://127.0.0.1:${settings.subgraphsPort}/${name}/graphql`,
        willSendRequest: (options) => {
          signRequest(options as GraphQLDataSourceProcessOptions<RequestContext>, signingKey)
        },
      }),
  })
  const app = fastify({ genReqId: newId })
  app.get('/readyz', () => ({ status: 'ready' }))
  const server = new ApolloServer<RequestContext>({ gateway, plugins: [fastifyApolloDrainPlugin(app)] })
  await server.start()
  await app.register(fastifyApollo(server), {
    path: '/graphql',
    context: async (request: Request, reply) => {
      const key = request.headers['x-api-key']
      const { owner, allowed, headers } = await guard(typeof key === 'string' ? key : undefined)
      reply.headers({ 'x-request-id': request.id, ...headers })
      if (!owner || !allowed) throw new Error('refused')
      const caller = { ...owner, products: PRODUCTS }
      const text = (): string => JSON.stringify(request.body)
      return requestContext(
        { caller, requestId: request.id, idempotencyKeys: idempotencyKeysOf(request.raw) },
        { writes: true, text },
        FINGERPRINT_KEY,
      ).context
    },
  })
  await app.listen({ port: settings.port, host: '127.0.0.1' })
}

/** What the subgraphs are told of a request. While the gateway loads its schema there is none. */
function signRequest({ request, context }: GraphQLDataSourceProcessOptions<RequestContext>, signingKey: Buffer): void {
  const { caller, requestId, idempotency } = context
  request.http?.headers.set(TENANT_CONTEXT, signCaller(caller, signingKey, systemClock))
  request.http?.headers.set(REQUEST_ID, requestId)
  if (!idempotency) return
  request.http?.headers.set(IDEMPOTENCY_KEY, idempotency.key)
  request.http?.headers.set(IDEMPOTENCY_FINGERPRINT, idempotency.fingerprint)
}
