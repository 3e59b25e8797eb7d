import { ApolloServer } from '@apollo/server'
import fastifyApollo from '@as-integrations/fastify'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { ExecutionResult, GraphQLSchema } from 'graphql'
import { localSigner } from '../../chains/evm/signer.js'
import { addressGuard } from '../../kernel/address-guard.js'
import { systemClock } from '../../kernel/clock.js'
import { idSource } from '../../kernel/ids.js'
import { createLog } from '../../kernel/log.js'
import { IDEMPOTENCY_FINGERPRINT, IDEMPOTENCY_KEY, REQUEST_ID, TENANT_CONTEXT } from '../../kernel/subgraph-http.js'
import type { RequestContext, SubgraphContext } from '../../kernel/subgraph.js'
import { verifyCaller } from '../../kernel/tenant.js'
import { signSession } from '../../checkout/session-link.js'
import { openOrdersDatabase, ordersContext } from '../../subgraphs/orders/context.js'
import { ordersSubgraph } from '../../subgraphs/orders/subgraph.js'
import { openPaymentsDatabase, paymentsContext } from '../../subgraphs/payments/context.js'
import { paymentsSubgraph } from '../../subgraphs/payments/subgraph.js'
import type { TargetSettings } from './settings.js'

/**
 * The subgraphs that the measured documents need, payments and orders, behind Apollo Server: our own schemas and resolvers on
 * our own stores, so that what differs from the product is how requests get to them.
 */
export async function serveStockSubgraphs(settings: TargetSettings): Promise<void> {
  const log = createLog('warn')
  const linkKey = Buffer.from(settings.linkKey, 'hex')
  const guard = addressGuard({ allowLoopback: true, allowHttp: true, clock: systemClock })
  const db = await openPaymentsDatabase({ url: settings.databaseUrl, poolSize: 10, log })
  const depsOf = paymentsContext(db, {
    clock: systemClock,
    newId: idSource(() => new Date()),
    log,
    settings: { enabledFiats: ['BRL', 'USD'], chains: settings.chains, publicClientIdPrefix: undefined },
    checkAddress: guard.check,
    sessionLink: (payment) => `${settings.publicUrl}/pay/${signSession(payment, linkKey)}`,
    quoteLifeMs: 60_000,
    priceUrl: 'http://127.0.0.1:1',
    oracle: undefined,
    routerUrl: 'http://127.0.0.1:1',
    routerApiKey: undefined,
    gasPayerSigner: localSigner(`0x${settings.linkKey}`),
    treasuryEvmSigners: [],
    treasurySolanaSigners: [],
    rails: [],
    publicUrl: settings.publicUrl,
    masterKey: linkKey,
    peers: { orders: notServed, accounts: integrationOfBench },
  })
  const app = fastify()
  app.get('/readyz', () => ({ status: 'ready' }))
  const ordersDb = await openOrdersDatabase({ url: settings.databaseUrl, poolSize: 10, log })
  const ordersDepsOf = ordersContext(ordersDb, {
    ...{ clock: systemClock, newId: idSource(() => new Date()), accounts: integrationOfBench },
    settings: { enabledFiats: ['BRL', 'USD'], chains: settings.chains, publicClientIdPrefix: undefined },
    checkAddress: () => Promise.resolve(undefined),
  })
  await mountSubgraph(app, '/payments/graphql', paymentsSubgraph().schema, (request) => {
    const context = contextOf(request, linkKey)
    return { ...context, deps: depsOf(context), log }
  })
  await mountSubgraph(app, '/orders/graphql', ordersSubgraph().schema, (request) => {
    const context = contextOf(request, linkKey)
    return { ...context, deps: ordersDepsOf(context), log }
  })
  await app.listen({ port: settings.subgraphsPort, host: '127.0.0.1' })
}

async function mountSubgraph<Deps>(
  app: FastifyInstance,
  path: string,
  schema: GraphQLSchema,
  contextFor: (request: FastifyRequest) => SubgraphContext<Deps>,
): Promise<void> {
  const server = new ApolloServer<SubgraphContext<Deps>>({ schema })
  await server.start()
  await app.register(fastifyApollo(server), { path, context: (request) => Promise.resolve(contextFor(request)) })
}

function contextOf({ headers, id }: FastifyRequest, signingKey: Buffer): RequestContext {
  const caller = verifyCaller(String(headers[TENANT_CONTEXT]), signingKey, systemClock)
  if (!caller) throw new Error('the tenant context is not signed')
  const key = headers[IDEMPOTENCY_KEY]
  const fingerprint = headers[IDEMPOTENCY_FINGERPRINT]
  return {
    caller,
    requestId: String(headers[REQUEST_ID] ?? id),
    ...(typeof key === 'string' &&
      typeof fingerprint === 'string' && { idempotency: { key, fingerprint, onReplay: () => undefined } }),
  }
}

/** The product asks for an integration once and remembers it; here it is known from the start. */
function integrationOfBench(): Promise<ExecutionResult> {
  return Promise.resolve({ data: { integration: {} } })
}

function notServed(): never {
  throw new Error('no measured document reads this subgraph')
}
