import { hkdfSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Chain } from '../chains/chain.js'
import { parseChains } from '../chains/parse-chains.js'
import { drain } from '../gateway/http.js'
import { loadSupergraph } from '../gateway/supergraph.js'
import type { AdjustableClock } from '../kernel/clock.js'
import { openDatabase, type Database } from '../kernel/database.js'
import { CreateIdempotencyKeys, removeOldKeys } from '../kernel/idempotency.js'
import { idSource } from '../kernel/ids.js'
import { advanceJobs, CreateQuietJobs, migrateJobs } from '../kernel/jobs.js'
import type { Logger } from '../kernel/log.js'
import { subgraphServer } from '../kernel/subgraph-http.js'
import { startWorker } from '../kernel/worker.js'
import { eventViews } from '../rest-compat/event-view.js'
import { loadOperations } from '../rest-compat/operation.js'
import type { Sandbox } from '../sandbox/start.js'
import { LIFI_DEFAULT_BASE_URL } from '../subgraphs/payments/router/lifi.js'
import { NO_YIELD, parseYieldConfig, type YieldConfig } from '../subgraphs/yield/parse-yield-config.js'
import type { Env, Role } from './env.js'
import { kycDeployment } from './kyc-options.js'
import { paymentProviders } from './payment-providers.js'
import { mountSandboxRoutes } from './sandbox-routes.js'
import { seedDemo } from './seed-demo.js'
import { startGateway } from './start-gateway.js'
import { startSubgraphs, SUBGRAPH_NAMES, type Deployment, type Subgraphs } from './start-subgraphs.js'

/** The product, running. */
export interface Product {
  url: string
  sandbox: Sandbox | undefined
  stop: () => Promise<void>
}

/** Jobs at once: a slow receiver of webhooks holds one of them for up to 15 seconds. */
const WORKER_CONCURRENCY = 20

/**
 * Starts the roles that the environment names, with everything embedded that is not configured.
 * @throws Error with one clear line; what was started by then is stopped
 */
export async function startProduct(options: {
  env: Env
  clock: AdjustableClock
  log: Logger
  onGiveUp: (error: Error) => void
  /** How long those may take whom identity verification asks; tests wait for that. */
  kycTimeoutMs?: number | undefined
}): Promise<Product> {
  const { env, clock, log } = options
  const running: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    for (const end of running.splice(0).reverse()) await end()
  }
  try {
    const sandbox = await startSandboxIfAsked(options)
    if (sandbox) running.push(() => sandbox.stop())
    const configured = deploymentOf(env, clock, log, sandbox)
    const deployment = { ...configured, kyc: { ...configured.kyc, timeoutMs: options.kycTimeoutMs } }
    const kernel = await openKernelDatabase(deployment)
    running.push(() => kernel.close())
    const url = await startRoles(deployment, kernel, sandbox, running)
    return { url, sandbox, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startRoles(
  deployment: Deployment,
  kernel: Database,
  sandbox: Sandbox | undefined,
  running: (() => Promise<void>)[],
): Promise<string> {
  const { env, log } = deployment
  const has = (role: Role): boolean => env.roles.includes('all') || env.roles.includes(role)
  // The worker runs the subgraphs' jobs, so it has all of them.
  const names = SUBGRAPH_NAMES.filter((name) => has(name) || has('worker'))
  const subgraphs = await startSubgraphs(deployment, names, (event) => showEvent(event))
  running.push(() => subgraphs.close())
  const supergraph = await loadSupergraph(subgraphs.executors)
  running.push(() => supergraph.stop())
  const operations = loadOperations(supergraph.apiSchema)
  const showEvent = eventViews(operations, subgraphs.executors)
  if (sandbox && subgraphs.accounts) await seedDemo(subgraphs.accounts, sandbox.demo)
  let isStarted = false
  const graph = { supergraph, operations }
  const app = has('gateway')
    ? await openGateway(deployment, subgraphs, graph, async () => isStarted && (await isReachable(kernel)), running)
    : openSubgraphServer(deployment, subgraphs, running)
  const shown = has('gateway') ? sandbox : undefined
  if (shown) mountSandboxRoutes(app, shown, (seconds) => advanceJobs(kernel.pool, seconds))
  await listen(app, env.host, env.port)
  const url = `http://${env.host}:${(app.server.address() as AddressInfo).port}`
  // Last: a process that could not listen has done nobody's work.
  if (has('worker')) running.push(await runJobs(kernel, subgraphs, deployment))
  shown?.writeDescription(url)
  isStarted = true
  log.info({ url }, 'listening')
  return url
}

async function openGateway(
  deployment: Deployment,
  subgraphs: Subgraphs,
  graph: Parameters<typeof startGateway>[2],
  isReady: () => Promise<boolean>,
  running: (() => Promise<void>)[],
): Promise<FastifyInstance> {
  const gateway = await startGateway(deployment, subgraphs, graph, isReady)
  running.push(() => gateway.close())
  return gateway.app
}

/** A process with subgraphs alone serves each under a path of its own. */
function openSubgraphServer(
  { callerKey, clock }: Deployment,
  subgraphs: Subgraphs,
  running: (() => Promise<void>)[],
): FastifyInstance {
  const app = subgraphServer({ subgraphs: subgraphs.local, signingKey: callerKey, clock })
  running.push(() => drain(app))
  return app
}

async function listen(app: FastifyInstance, host: string, port: number): Promise<void> {
  await app.listen({ host, port }).catch((error: unknown) => {
    const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    throw taken ? new Error(`port ${port} of ${host} is already in use`) : error
  })
}

/** Sandbox code is loaded only here, so that an installation without the optional packages starts in live. */
async function startSandboxIfAsked({
  env,
  clock,
  log,
  onGiveUp,
}: Parameters<typeof startProduct>[0]): Promise<Sandbox | undefined> {
  if (env.isLive) return undefined
  const { startSandbox } = await import('../sandbox/start.js')
  return startSandbox({ dataDir: env.dataDir, databaseUrl: env.databaseUrl, clock, log, onGiveUp })
}

/** What the parts are given: the environment where it says so, otherwise the sandbox. */
export function deploymentOf(env: Env, clock: AdjustableClock, log: Logger, sandbox: Sandbox | undefined): Deployment {
  const masterKey = required(env.masterKey ?? sandbox?.masterKey, 'MASTER_KEY')
  const derived = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32))
  return {
    env,
    clock,
    log,
    newId: idSource(() => clock.now()),
    isSandbox: sandbox !== undefined,
    databaseUrl: required(env.databaseUrl ?? sandbox?.databaseUrl, 'DATABASE_URL'),
    publicUrl: env.publicUrl ?? `http://localhost:${env.port}`,
    chains: env.chainsFile === undefined ? (sandbox?.chains ?? []) : readChains(env.chainsFile),
    yieldConfig: yieldConfig(env, sandbox),
    priceUrl: required(env.priceUrl ?? sandbox?.priceUrl, 'PRICE_BASE_URL'),
    oracle: oracleOf(env, sandbox),
    routerUrl: env.routerUrl ?? sandbox?.routerUrl ?? LIFI_DEFAULT_BASE_URL,
    operatorKey: required(env.operatorKey ?? sandbox?.operatorKey, 'OPERATOR_EVM_KEY'),
    callerKey: derived('caller'),
    fingerprintKey: derived('idempotency'),
    linkKey: derived('session-link'),
    masterKey,
    masterKeys: [masterKey, ...(env.previousMasterKey ? [env.previousMasterKey] : [])],
    kyc: kycDeployment(env, sandbox),
    paymentProviders: paymentProviders(env, sandbox),
  }
}

/** The sandbox's exchange is its oracle too. */
function oracleOf(env: Env, sandbox: Sandbox | undefined): Deployment['oracle'] {
  const url = env.oracleUrl ?? (env.priceUrl === undefined ? sandbox?.priceUrl : undefined)
  return url === undefined ? undefined : { url, apiKey: env.oracleApiKey }
}

function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`${name} is needed`)
  return value
}

/** The file's markets; in the sandbox those of its own chain, as long as that is the one used. */
function yieldConfig(env: Env, sandbox: Sandbox | undefined): YieldConfig {
  if (env.yieldMarketsFile !== undefined)
    return parseYieldConfig(JSON.parse(readFileSync(env.yieldMarketsFile, 'utf8')))
  return sandbox && env.chainsFile === undefined ? parseYieldConfig(sandbox.yieldMarkets) : NO_YIELD
}

function readChains(file: string): Chain[] {
  return parseChains(JSON.parse(readFileSync(file, 'utf8')))
}

/** The schema that all processes share: jobs and idempotency keys. */
export async function openKernelDatabase({ databaseUrl, log }: Deployment): Promise<Database> {
  const db = await openDatabase({
    url: databaseUrl,
    schema: 'kernel',
    entities: [],
    migrations: [
      { name: '0001-idempotency-keys', class: CreateIdempotencyKeys },
      { name: '0002-quiet-jobs', class: CreateQuietJobs },
    ],
    poolSize: WORKER_CONCURRENCY + 4,
    log,
  })
  await migrateJobs(db.pool, log)
  return db
}

async function runJobs(
  kernel: Database,
  { local }: Subgraphs,
  { clock, log }: Deployment,
): Promise<() => Promise<void>> {
  const parts = Object.values(local)
  const worker = await startWorker({
    pool: kernel.pool,
    kinds: parts.flatMap(({ jobs }) => jobs),
    periodic: [
      ...parts.flatMap(({ periodic }) => periodic),
      { name: 'remove-old-idempotency-keys', cron: '*/10 * * * *', run: () => removeOldKeys(kernel.pool, clock) },
    ],
    concurrency: WORKER_CONCURRENCY,
    log,
  })
  return () => worker.stop()
}

async function isReachable({ pool }: Database): Promise<boolean> {
  return pool.query('select 1').then(
    () => true,
    () => false,
  )
}
