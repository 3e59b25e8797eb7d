import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { createAuthentication } from '../gateway/authentication/authenticate.js'
import { keyStatusFrom } from '../gateway/authentication/key-status.js'
import { mountAuthorizer } from '../gateway/authorizer/mount-authorizer.js'
import { graphqlRefusal, parserRefusal } from '../gateway/graphql/errors.js'
import { createHttpServer } from '../gateway/http.js'
import { openGatewayDatabase } from '../gateway/rate-limit/store/database.js'
import { rateCounts } from '../gateway/rate-limit/store/rate-counts.js'
import { doorOf } from '../kernel/http-door.js'
import { hashIfApiKey, isApiKey } from '../subgraphs/accounts/domain/api-key.js'
import type { Deployment } from './deployment.js'
import type { Subgraphs } from './start-subgraphs.js'

/**
 * Starts what signs tenants for a router of another make (`ROLE=authorizer`); it listens on nothing yet. Keys are looked up in
 * accounts, and counted with those that the gateways count.
 */
export async function startAuthorizer(
  { env, clock, log, newId, databaseUrl, publicUrl, callerKey, fingerprintKey }: Deployment,
  { executors: { accounts } }: Subgraphs,
  isReady: () => Promise<boolean>,
): Promise<{ app: FastifyInstance; close: () => Promise<void> }> {
  const { rateLimitPerMinute: limitPerMinute } = env
  const db = await openGatewayDatabase({ url: databaseUrl, poolSize: 4, log })
  const authentication = createAuthentication({
    clock,
    ...{ hashKey: hashIfApiKey, isKey: isApiKey },
    keyStatus: keyStatusFrom(accounts, newId),
    products: env.products,
    apiKeyHeader: env.apiKeyHeader,
    limitPerMinute,
    share: { counts: rateCounts(db.pool, randomBytes(8).toString('hex')), log },
  })
  const app = createHttpServer(
    async () => (await db.isReachable()) && isReady(),
    newId,
    {
      notFound: (_request, reply) => {
        void reply.code(404).send(graphqlRefusal('NOT_FOUND', 'No such path.'))
      },
      failed: (error, request, reply) => {
        const refusal = parserRefusal(error as Parameters<typeof parserRefusal>[0])
        if (!refusal) log.error({ requestId: request.id, err: error }, 'a request could not be signed')
        const body = refusal?.body ?? graphqlRefusal('SERVER_ERROR', 'Something went wrong on our side.')
        void reply.code(refusal?.http ?? 500).send(body)
      },
    },
    env.trustedProxies,
  )
  const docs = `${publicUrl}/docs`
  mountAuthorizer(app, { authentication, clock, log, callerKey, fingerprintKey, limitPerMinute, docs })
  return {
    app,
    close: async () => {
      await doorOf(app).close()
      await authentication.close()
      await db.close()
    },
  }
}
