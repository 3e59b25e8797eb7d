import type { Logger } from '../../kernel/log.js'
import type { Child } from './child.js'
import type { DataDirLock } from './data-dir-lock.js'
import { findLastingPort, isPortFree } from './free-port.js'
import { findPostgresBinaries } from './postgres-binaries.js'
import { openCluster, type Cluster } from './postgres-cluster.js'
import { PortTakenError, startServer, type ServerOptions } from './postgres-server.js'
import { clearStrayServer } from './postgres-stray.js'
import { chooseRunAs, type RunAsStrategy } from './run-as.js'

/** What to start. */
export interface EmbeddedPostgresOptions {
  /** The folder in which `postgres/` is or will be, reserved for this process. */
  lock: DataDirLock
  log: Logger
  /** False for a database that nobody needs after a crash, as a test run's; it does not wait for the disk then. */
  isDurable?: boolean
  /** Exactly this port; without it the one that the folder remembers. */
  port?: number
  /** Called once when the server keeps crashing and is not started again. */
  onGiveUp?: (error: Error) => void
  /** Restricts how the server may be run as root, for tests. */
  strategies?: readonly RunAsStrategy[]
}

/** A running database server. */
export interface EmbeddedPostgres {
  /** `postgres://postgres:<password>@127.0.0.1:<port>/postgres`, the same at every start of the folder. */
  readonly databaseUrl: string
  /** The server's process now; undefined while it is being started again. */
  pid(): number | undefined
  /** Ends all connections and the server, and waits. */
  stop(): Promise<void>
}

/** A server that crashes more often than this within a minute is not started again. */
const MAX_RESTARTS = 5
const RESTART_WINDOW_MS = 60_000
const FIRST_RESTART_DELAY_MS = 100

/**
 * Starts the embedded PostgreSQL on a data folder, creating the database at the first start, and keeps it running: a
 * crash is followed by a bounded number of restarts. It listens on 127.0.0.1 only and cannot outlive this process.
 * @throws Error if it is not installed, cannot be run by this user, or does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { lock, log } = options
  const binaries = await findPostgresBinaries()
  const runAs = await chooseRunAs(binaries.postgres, lock.dataDir, options.strategies)
  const cluster = await openCluster(lock.dataDir, binaries, runAs, log)
  const serverOptions = {
    postgres: binaries.postgres,
    clusterDir: cluster.clusterDir,
    runAs,
    log,
    isDurable: options.isDurable,
  }
  const { child, port } = await startOnPort(cluster, options.port, serverOptions)
  const supervision = supervise(child, { ...serverOptions, port }, options.onGiveUp ?? (() => {}))
  return {
    databaseUrl: `postgres://postgres:${cluster.connection.password}@127.0.0.1:${port}/postgres`,
    ...supervision,
  }
}

/** Starts on the wanted or remembered port; where another process took the remembered one, on another from now on. */
async function startOnPort(
  cluster: Cluster,
  wantedPort: number | undefined,
  options: Omit<ServerOptions, 'port'>,
): Promise<{ child: Child; port: number }> {
  let port = wantedPort ?? cluster.connection.port
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (!(await isPortFree(port))) throw new PortTakenError(`the port ${port} is already used`)
      return { child: await startServer({ ...options, port }), port }
    } catch (error) {
      if (!(error instanceof PortTakenError) || wantedPort !== undefined || attempt === 3) throw error
      const other = await findLastingPort()
      options.log.warn({ port, other }, 'another program took the port of the embedded PostgreSQL; it moves to another')
      await cluster.rememberPort(other)
      port = other
    }
  }
}

/** Starts the server again after a crash, later and later, until it crashed too often within the window. */
function supervise(
  first: Child,
  options: ServerOptions,
  onGiveUp: (error: Error) => void,
): Pick<EmbeddedPostgres, 'pid' | 'stop'> {
  const { log } = options
  const stopped = new AbortController()
  const isStopped = () => stopped.signal.aborted
  const recentCrashes: number[] = []
  let current: Child | undefined = first

  const run = async (): Promise<void> => {
    for (;;) {
      const exit = await current?.exited
      current = undefined
      if (isStopped()) return
      const now = performance.now()
      while (recentCrashes[0] !== undefined && recentCrashes[0] < now - RESTART_WINDOW_MS) recentCrashes.shift()
      recentCrashes.push(now)
      if (recentCrashes.length > MAX_RESTARTS) {
        onGiveUp(new Error(`the embedded PostgreSQL crashed ${recentCrashes.length} times within a minute`))
        return
      }
      log.warn({ code: exit?.code, signal: exit?.signal }, 'the embedded PostgreSQL ended; starting it again')
      await pause(FIRST_RESTART_DELAY_MS * 2 ** (recentCrashes.length - 1), stopped.signal)
      if (isStopped()) return
      try {
        await clearStrayServer(options.clusterDir, log)
        if (isStopped()) return
        current = await startServer({ ...options, signal: stopped.signal })
        if (isStopped()) await current.stop()
      } catch (error) {
        if (isStopped()) return
        log.error({ err: error }, 'the embedded PostgreSQL did not start again')
      }
    }
  }
  const ended = run()
  return {
    pid: () => current?.pid,
    stop: async () => {
      stopped.abort()
      await current?.stop()
      await ended
    },
  }
}

/** Waits, not longer than until `signal` aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
