import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { mountConsolePages } from '../console/mount-console-pages.js'
import { mountCheckout } from '../checkout/mount-checkout.js'
import { sharedBuilds } from '../gateway/built-files/shared-builds.js'
import { chargeCallbacks, kycCallbacks, mountCallbacks } from '../gateway/callbacks.js'
import { createAdmission } from '../gateway/admission.js'
import { createAuthentication, isByPlatformKey } from '../gateway/authentication/authenticate.js'
import { consoleKeyOf, statusOfSession } from '../gateway/authentication/console-session.js'
import { keyStatusFrom } from '../gateway/authentication/key-status.js'
import { openGatewayDatabase } from '../gateway/rate-limit/store/database.js'
import { rateCounts } from '../gateway/rate-limit/store/rate-counts.js'
import { authenticationHook, rateRefusal, type AuthenticationHook } from '../gateway/authentication/hook.js'
import { mountConsole } from '../gateway/console/mount-console.js'
import { mountGraphql } from '../gateway/graphql/server.js'
import { documentsFor, warnOfUnfit } from '../gateway/graphql/trusted-documents.js'
import { mountDocs } from '../docs-site/mount-docs.js'
import { createHttpServer } from '../gateway/http.js'
import { openLive } from '../gateway/live/open-live.js'
import { logRequests, type AnsweredRequest } from '../gateway/request-log.js'
import { traceRequests } from '../gateway/trace-requests.js'
import type { SupergraphExecutor } from '../gateway/supergraph.js'
import { doorOf } from '../kernel/http-door.js'
import { projectRoot } from '../kernel/root.js'
import type { Logger } from '../kernel/log.js'
import { areSpansSent } from '../kernel/tracing.js'
import type { RestDeps } from '../rest-compat/handle.js'
import { mountPaymentEvents } from '../rest-compat/payment-events.js'
import { withPaymentEvents } from '../rest-compat/openapi-events.js'
import { openApiDocument, type OpenApiDocument } from '../rest-compat/openapi.js'
import { mountMcp } from '../mcp/mount-mcp.js'
import { toolsOf } from '../mcp/tool.js'
import { wholeSchema, type RestOperation } from '../rest-compat/operation.js'
import type { EventRenderer } from '../rest-compat/render-event.js'
import { failed, mountRest, notFound } from '../rest-compat/server.js'
import { hashIfApiKey, isApiKey } from '../subgraphs/accounts/domain/api-key.js'
import type { Deployment } from './deployment.js'
import type { Subgraphs } from './start-subgraphs.js'

/** The HTTP side of the product. */
export interface RunningGateway {
  app: FastifyInstance
  /** Scripts that the payment page loads besides its own. */
  pageScripts: string[]
  /** Whether a request has a key of the deployment itself, rather than of a tenant. */
  hasPlatformKey: (rawHeaders: readonly string[], address: string) => Promise<boolean>
  close: () => Promise<void>
}

/**
 * Starts everything that clients speak to: authentication, REST, GraphQL, the payment page. It listens on nothing yet.
 * @param isReady whether the parts behind it are
 * @param count called with each request that was answered
 */
export async function startGateway(
  deployment: Deployment,
  subgraphs: Subgraphs,
  graph: { supergraph: SupergraphExecutor; operations: ReadonlyMap<string, RestOperation>; renderEvent: EventRenderer },
  isReady: () => Promise<boolean>,
  count: (request: AnsweredRequest) => void,
): Promise<RunningGateway> {
  const { env, clock, log, newId, databaseUrl, publicUrl, fingerprintKey, linkKey, chains, isSandbox } = deployment
  const { accounts, kyc, payments } = subgraphs.executors
  const db = await openGatewayDatabase({ url: databaseUrl, poolSize: 4, log })
  const authentication = createAuthentication({
    clock,
    ...{ hashKey: hashIfApiKey, isKey: isApiKey },
    keyStatus: statusOfSession(accounts, newId, keyStatusFrom(accounts, newId)),
    products: env.products,
    apiKeyHeader: env.apiKeyHeader,
    limitPerMinute: env.rateLimitPerMinute,
    share: { counts: rateCounts(db.pool, randomBytes(8).toString('hex')), log },
  })
  const docs = `${publicUrl}/docs`
  const hook = authenticationHook(authentication, docs, env.rateLimitPerMinute)
  // The cookie of the console's people counts for GraphQL alone.
  const graphqlHook = authenticationHook(authentication, docs, env.rateLimitPerMinute, consoleKeyOf(publicUrl))
  const app = createHttpServer(
    async () => (await db.isReachable()) && isReady(),
    newId,
    { notFound: notFound(hook), failed: failed(log), observe: observing(log, count) },
    env.trustedProxies,
  )
  const { supergraph, operations } = graph
  const tooMany = rateRefusal(docs, env.rateLimitPerMinute)
  const admission = createAdmission(authentication)
  const shared = { authenticate: hook, admission, log, fingerprintKey }
  const rest = { ...graph, subgraphs: subgraphs.executors, admission, fingerprintKey }
  mountRest(app, { ...rest, authenticate: hook, log })
  const live = openLive({ databaseUrl, payments, authentication, admission, clock, log })
  mountPaymentEvents(app, { ...shared, live, renderEvent: graph.renderEvent })
  warnOfUnfit(env.trustedDocuments, supergraph.apiSchema, log)
  const ofGraphql = { supergraph, tooMany, live, documents: documentsFor(env.trustedDocuments, isSandbox) }
  const graphql = await mountGraphql(app, { ...shared, ...ofGraphql, authenticate: graphqlHook })
  const builds = sharedBuilds({ pool: db.pool, clock, log })
  const document = openApiDocument({ schema: wholeSchema(supergraph.sdl), operations, publicUrl, version: version() })
  mountDocs(app, withPaymentEvents(document), { isSandbox, builds, graph: supergraph, clock })
  mountConsolePages(app, { isSandbox, builds })
  mountConsole(app, { accounts, clock, log, publicUrl })
  mountTools(app, deployment, { document, rest, authenticate: hook })
  mountCallbacks(app, [kycCallbacks(kyc), chargeCallbacks(payments)])
  const pageScripts: string[] = []
  const checkout = mountCheckout(app, {
    ...{ supergraph, accounts, payments, products: env.products, chains, isSandbox },
    ...{ linkKey, fingerprintKey, clock, log, publicUrl, changes: live.changes, builds },
    extraScripts: () => pageScripts,
  })
  await builds.keep()
  return {
    ...{ app, pageScripts },
    hasPlatformKey: async (rawHeaders, address) => isByPlatformKey(await authentication.check(rawHeaders, address)),
    close: async () => {
      checkout.close()
      live.streams.close()
      await doorOf(app).close()
      live.changes.close()
      await builds.close()
      await graphql.stop()
      await authentication.close()
      await db.close()
    },
  }
}

/** Tells of every request: in the log, the figures, and the traces where these go anywhere. */
function observing(log: Logger, count: (request: AnsweredRequest) => void): (app: FastifyInstance) => void {
  return (app) => {
    logRequests(app, log, count)
    if (areSpansSent()) traceRequests(app, log)
  }
}

/** The operations of REST as tools. */
function mountTools(
  app: FastifyInstance,
  { env, clock, log, publicUrl, confirmationKey }: Deployment,
  parts: { document: OpenApiDocument; rest: RestDeps; authenticate: AuthenticationHook },
): void {
  const { document, rest, authenticate } = parts
  mountMcp(app, {
    ...{
      rest,
      tools: toolsOf(document),
      clock,
      confirmationKey,
      random: randomBytes,
      confirmAbove: String(env.mcpConfirmAbove),
    },
    ...{ isReadOnly: env.mcpReadOnly === 'on', publicUrl, version: document.info.version, authenticate, log },
  })
}

/** The product's version, which is the version of its API's description. */
function version(): string {
  return (JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string }).version
}
