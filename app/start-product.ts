import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { loadSupergraph } from '../gateway/supergraph.js'
import type { AdjustableClock } from '../kernel/clock.js'
import type { Database } from '../kernel/database.js'
import { doorOf } from '../kernel/http-door.js'
import { advanceJobs, jobGauges } from '../kernel/jobs.js'
import type { Logger } from '../kernel/log.js'
import { keepHealth } from '../kernel/provider-health/keep-health.js'
import { recordCalls } from '../kernel/provider-health/record-calls.js'
import { subgraphServer } from '../kernel/subgraph-http.js'
import { eventRenderer } from '../rest-compat/render-event.js'
import { loadOperations, wholeSchema } from '../rest-compat/operation.js'
import type { PartialSandbox, Sandbox } from '../sandbox/sandbox.js'
import { deploymentOf, type Deployment } from './deployment.js'
import type { Env, Role } from './env.js'
import { checkPorts, refuseTaken } from './free-ports.js'
import { openKernelDatabase } from './kernel-database.js'
import { createMetrics, serveMetrics, type Metrics } from './metrics.js'
import { runJobs } from './run-jobs.js'
import { mountSandboxRoutes } from './sandbox-routes.js'
import { seedDemo } from './seed-demo.js'
import { startSandboxIfNeeded } from './start-sandbox.js'
import { startAuthorizer } from './start-authorizer.js'
import { startGateway } from './start-gateway.js'
import { STOP_ALL_MS, stopParts, type RunningPart } from './stop-parts.js'
import { remotesReadiness, startSubgraphs, SUBGRAPH_NAMES, type Subgraphs } from './start-subgraphs.js'

/** The product, running. */
export interface Product {
  url: string
  sandbox: PartialSandbox | undefined
  stop: () => Promise<void>
}

/** How long requests and jobs under way may take once the product is told to stop, and then each step after them. */
const WORK_STOP_MS = 6_000
const POOL_STOP_MS = 1_500

/**
 * Starts the roles that the environment names, with everything embedded that is not configured.
 * @throws Error with one clear line; what was started by then is stopped
 */
export async function startProduct(options: {
  env: Env
  clock: AdjustableClock
  log: Logger
  onGiveUp: (error: Error) => void
  /** A sandbox that runs already, and outlives the product; what the environment configures goes before it. */
  sandbox?: Sandbox
  /** How long those may take whom identity verification asks; tests wait for that. */
  kycTimeoutMs?: number | undefined
  /** Whether jobs run by the time of day; what a test sees must not hang on the minute in which it runs. */
  hasPeriodicJobs?: boolean
}): Promise<Product> {
  const { env, clock, log } = options
  const running: RunningPart[] = []
  const stopping = new AbortController()
  const stop = async (): Promise<void> => {
    stopping.abort()
    await stopParts(running, log)
  }
  try {
    // Before any client is made: each tells whom it will call.
    const recorder = recordCalls(clock)
    running.push({ name: 'recorder', stopMs: POOL_STOP_MS, stop: () => Promise.resolve(recorder.close()) })
    await checkPorts(env)
    const sandbox = options.sandbox ?? (await startSandboxIfNeeded(options))
    if (sandbox && sandbox !== options.sandbox) {
      running.push({ name: 'sandbox', stopMs: STOP_ALL_MS, stop: () => sandbox.stop() })
    }
    const configured = deploymentOf(env, clock, log, sandbox)
    const kyc = { ...configured.kyc, timeoutMs: options.kycTimeoutMs }
    const deployment = { ...configured, kyc, stopping: stopping.signal }
    const kernel = await openKernelDatabase(deployment)
    running.push({ name: 'kernel', stopMs: POOL_STOP_MS, stop: () => kernel.close() })
    const { pool } = kernel
    const stopKeeping = keepHealth({ recorder, processId: randomUUID(), pool, clock, log })
    running.push({ name: 'health', stopMs: POOL_STOP_MS, stop: stopKeeping })
    const url = await startRoles(deployment, kernel, sandbox, running, options.hasPeriodicJobs)
    return { url, sandbox, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startRoles(
  deployment: Deployment,
  kernel: Database,
  sandbox: PartialSandbox | undefined,
  running: RunningPart[],
  hasPeriodicJobs = true,
): Promise<string> {
  const { env, log } = deployment
  const isAll = env.roles.includes('all')
  const has = (role: Role): boolean => env.roles.includes(role) || (isAll && role !== 'authorizer')
  // The worker runs the subgraphs' jobs, so it has all of them.
  const names = SUBGRAPH_NAMES.filter((name) => has(name) || has('worker'))
  const subgraphs = await startSubgraphs(deployment, names, (event) => renderEvent(event))
  running.push({ name: 'subgraphs', stopMs: POOL_STOP_MS, stop: () => subgraphs.close() })
  const supergraph = loadSupergraph(subgraphs.executors, log)
  running.push({ name: 'supergraph', stopMs: POOL_STOP_MS, stop: () => supergraph.stop() })
  const operations = loadOperations(wholeSchema(supergraph.sdl))
  const renderEvent = eventRenderer(operations, subgraphs.executors)
  if (sandbox?.demo && subgraphs.accounts) await seedDemo(subgraphs.accounts, sandbox.demo)
  let isStarted = false
  // Who is asked by clients alone asks the others: subgraphs that asked each other would wait in a circle.
  const remotesAnswer =
    has('gateway') || has('authorizer') ? remotesReadiness(deployment, subgraphs.local) : () => Promise.resolve(true)
  const isReady = async (): Promise<boolean> => {
    const reachable = await Promise.all([kernel.isReachable(), subgraphs.isReady(), remotesAnswer()])
    return isStarted && reachable.every(Boolean)
  }
  // Requests and jobs end side by side: both need what comes before them in the list.
  const work: (() => Promise<void>)[] = []
  running.push({ name: 'work', stopMs: WORK_STOP_MS, stop: () => stopTogether(work) })
  const graph = { supergraph, operations, renderEvent }
  const metrics = createMetrics(log)
  metrics.add(Object.values(subgraphs.local).flatMap(({ gauges }) => gauges ?? []))
  if (has('worker')) metrics.add(jobGauges(kernel.pool))
  const gateway = has('gateway') ? await startGateway(deployment, subgraphs, graph, isReady, metrics.count) : undefined
  // A process that signs for a router serves nothing else.
  const authorizer = has('authorizer') ? await startAuthorizer(deployment, subgraphs, isReady) : undefined
  const { app, close } = gateway ?? authorizer ?? openSubgraphServer(deployment, subgraphs, isReady)
  work.push(close)
  const shown = gateway ? sandbox : undefined
  if (gateway && shown) mountSandboxRoutes(gateway, shown, (seconds) => advanceJobs(kernel.pool, seconds))
  await app.listen({ host: env.host, port: env.port }).catch(refuseTaken('PORT', env))
  const url = `http://${env.host}:${(app.server.address() as AddressInfo).port}`
  const metricsPort = await openMetrics(metrics, env, work)
  // Last: a process that cannot listen must not have run a job.
  if (has('worker')) work.push(await runJobs(kernel, subgraphs, deployment, hasPeriodicJobs))
  shown?.writeDescription(url)
  isStarted = true
  log.info({ url, metricsPort }, 'listening')
  return url
}

/** @returns the port; undefined where there is none */
async function openMetrics(
  metrics: Metrics,
  { metricsHost: host, metricsPort: port }: Env,
  work: (() => Promise<void>)[],
): Promise<number | undefined> {
  if (port === undefined) return undefined
  const address = { host, port }
  const served = await serveMetrics(metrics, address).catch(refuseTaken('METRICS_PORT', address))
  work.push(served.close)
  return served.port
}

/** A process with subgraphs alone serves each under a path of its own. */
function openSubgraphServer(
  { callerKey, clock }: Deployment,
  subgraphs: Subgraphs,
  isReady: () => Promise<boolean>,
): { app: FastifyInstance; close: () => Promise<void> } {
  const app = subgraphServer({ subgraphs: subgraphs.local, signingKey: callerKey, clock, isReady })
  return { app, close: () => doorOf(app).close() }
}

async function stopTogether(work: readonly (() => Promise<void>)[]): Promise<void> {
  const outcomes = await Promise.allSettled(work.map((stop) => stop()))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
