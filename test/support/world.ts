import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { solanaSide, type SolanaSide } from '../../chains/solana/testing/side.js'
import { adjustableClock, type AdjustableClock } from '../../kernel/clock.js'
import { createLog } from '../../kernel/log.js'
import { startSandbox } from '../../sandbox/start.js'
import { loadEnv } from '../../app/env.js'
import { startProduct } from '../../app/start-product.js'
import { chainSide, sandboxChain, type ChainSide } from './chain.js'
import { send, type Answer } from './http.js'
import { unlistedCode } from './listed-codes.js'
import { ownDatabase, query } from './own-database.js'
import { startRpcProxy, type RpcProxy } from './rpc-proxy.js'
import { sandboxSolana } from './solana.js'
import { openDashboard, type Dashboard, type TestTenant } from './tenants.js'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.js'

/** A request to the REST layer. */
export interface RestCall {
  /** The tenant whose key is sent, or a key; none where left out. */
  as?: TestTenant | string | undefined
  /** Sent as JSON; text is sent as it is. */
  body?: unknown
  headers?: Record<string, string | string[]>
}

/** The whole product in this process, on real components of its own, and everything around it. */
export interface World extends AsyncDisposable {
  url: string
  clock: AdjustableClock
  /** The chain as payers and receivers see it. */
  chain: ChainSide
  /** The product's way to the chain. */
  rpc: RpcProxy
  /** The Solana chain as payers and receivers see it, and the product's way to it. */
  solana: SolanaSide
  solanaRpc: RpcProxy
  hooks: WebhookReceiver
  dashboard: Dashboard
  /** A tenant with every product. */
  tenant: TestTenant
  priceUrl: string
  routerUrl: string
  /** The verification provider, and what arrived by e-mail. */
  kycUrl: string
  cardUrl: string
  pixUrl: string
  mailboxUrl: string
  rest: (method: string, path: string, call?: RestCall) => Promise<Answer>
  graphql: (query: string, variables: object, call?: RestCall) => Promise<Answer>
  /** Rows of a statement on the product's database. */
  sql: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>
}

/**
 * Boots the product on free ports, with a database of its own in the run's PostgreSQL, a data folder of its own and a
 * clock that can be moved. One world per test file.
 * @param environment variables of the product that the test sets
 * @param options what a test sets that is no variable
 */
export async function startWorld(
  environment: Record<string, string> = {},
  options: Pick<Parameters<typeof startProduct>[0], 'kycTimeoutMs'> = {},
): Promise<World> {
  const stack = new AsyncDisposableStack()
  const database = await ownDatabase()
  stack.defer(() => database.drop())
  const dataDir = await mkdtemp(join(tmpdir(), 'payments-api-world-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const rpc = await startRpcProxy()
  stack.defer(() => rpc.close())
  const solanaRpc = await startRpcProxy()
  stack.defer(() => solanaRpc.close())
  const hooks = await startWebhookReceiver()
  stack.defer(() => hooks.close())
  const chainsFile = join(dataDir, 'chains.json')
  await writeFile(chainsFile, JSON.stringify([sandboxChain(rpc.url), sandboxSolana(solanaRpc.url)]))
  const masterKey = randomBytes(32)
  const clock = adjustableClock()
  const env = loadEnv({
    PORT: '0',
    MODE: 'sandbox',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    CHAINS_FILE: chainsFile,
    MASTER_KEY: masterKey.toString('hex'),
    RATE_LIMIT_PER_MINUTE: '0',
    ...environment,
  })
  const log = createLog('silent')
  const onGiveUp = (error: Error): void => log.error(error)
  const sandbox = await startSandbox({ dataDir, databaseUrl: database.url, clock, log, onGiveUp })
  stack.defer(() => sandbox.stop())
  const [anvil, liteSvm] = sandbox.chains
  if (!anvil || !liteSvm) throw new Error('the sandbox has two chains')
  rpc.target = anvil.rpcUrl
  solanaRpc.target = liteSvm.rpcUrl
  const product = await startProduct({ ...options, env, clock, log, onGiveUp, sandbox })
  stack.defer(() => product.stop())
  const dashboard = await openDashboard({ databaseUrl: database.url, masterKey, clock, hooks })
  stack.defer(() => dashboard.close())
  return {
    url: product.url,
    clock,
    chain: chainSide(anvil.rpcUrl),
    rpc,
    solana: solanaSide(liteSvm.rpcUrl),
    solanaRpc,
    hooks,
    dashboard,
    tenant: await dashboard.newTenant(),
    priceUrl: sandbox.priceUrl,
    routerUrl: sandbox.routerUrl,
    kycUrl: sandbox.verifier.baseUrl,
    cardUrl: new URL(sandbox.card.baseUrl).origin,
    pixUrl: sandbox.pix.baseUrl,
    mailboxUrl: sandbox.mailboxUrl,
    rest: (method, path, call = {}) => callRest(product.url, method, path, call),
    graphql: (document, variables, call = {}) =>
      callRest(product.url, 'POST', '/graphql', { ...call, body: { query: document, variables } }),
    sql: (statement, values) => query(database.url, statement, values),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/**
 * Sends a request as clients do: the key in `x-api-key`, the body as JSON.
 * @throws Error where the reply carries a code that its route does not list
 */
export async function callRest(
  url: string,
  method: string,
  path: string,
  { as, body, headers }: RestCall = {},
): Promise<Answer> {
  const key = typeof as === 'string' ? as : as?.key
  const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await send({
    method,
    url: `${url}${path}`,
    headers: {
      ...(key !== undefined && { 'x-api-key': key }),
      ...(content !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: content,
  })
  const problem = unlistedCode(method, path, answer)
  if (problem !== undefined) throw new Error(problem)
  return answer
}
