import type { Logger } from '../../kernel/log.js'
import { startChild, type Child } from './child.js'
import { SERVER_ENV, type RunAs } from './run-as.js'

/** What one run of the server needs. */
export interface ServerOptions {
  postgres: string
  clusterDir: string
  port: number
  runAs: RunAs
  log: Logger
  /** Whether what was acknowledged survives a crash of the server or the machine; where left out, it does. */
  isDurable?: boolean | undefined
  /** Ends a start that is still waiting for the server. */
  signal?: AbortSignal
}

/** The address of the server was taken by another process. */
export class PortTakenError extends Error {}

/** Recovery after a crash replays the log of at most a few checkpoints; a server silent for longer is stuck. */
const READY_WITHIN_MS = 60_000

const settings = (port: number, waitsForDisk: 'on' | 'off'): Record<string, string | number> => ({
  listen_addresses: '127.0.0.1',
  port,
  // No socket file: its path is limited to 107 bytes, which a deep checkout exceeds.
  unix_socket_directories: '',
  // Ours alone takes up to 60; a split deployment, and the files of a test run, have several processes on one server.
  max_connections: 300,
  shared_buffers: '64MB',
  // A row that was acknowledged survives, as it would in production.
  fsync: waitsForDisk,
  synchronous_commit: waitsForDisk,
  timezone: 'UTC',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '',
  log_checkpoints: 'off',
  // The server's own events only. Failed statements reach their client, and their text and values may be secret.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
})

/**
 * Starts the server and waits until it takes connections.
 * @throws PortTakenError if it cannot listen on the port; Error with its last lines if it ends or hangs before
 */
export async function startServer(options: ServerOptions): Promise<Child> {
  const { postgres, clusterDir, port, runAs, log, signal, isDurable = true } = options
  const lastLines: string[] = []
  let markReady = () => {}
  const ready = new Promise<'ready'>((resolve) => (markReady = () => resolve('ready')))
  let stopping = false
  const settingArgs = Object.entries(settings(port, isDurable ? 'on' : 'off')).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const [command = postgres, ...args] = [...runAs.prefix, postgres, '-D', clusterDir, ...settingArgs]
  const child = startChild({
    name: 'postgres',
    command,
    args,
    env: SERVER_ENV,
    cwd: '/',
    ...(runAs.uid !== undefined && { uid: runAs.uid }),
    ...(runAs.gid !== undefined && { gid: runAs.gid }),
    stopSignal: 'SIGINT',
    log,
    onLine: (line) => {
      lastLines.push(line)
      if (lastLines.length > 5) lastLines.shift()
      if (line.includes('database system is ready to accept connections')) markReady()
      logLine(log, line, stopping)
    },
  })
  const abandon = () => void child.stop()
  const timer = setTimeout(abandon, READY_WITHIN_MS)
  signal?.addEventListener('abort', abandon)
  const outcome = await Promise.race([ready, child.exited])
  clearTimeout(timer)
  signal?.removeEventListener('abort', abandon)
  if (outcome !== 'ready') {
    const reason = lastLines.join(' / ') || outcome.error?.message || `exit code ${outcome.code ?? outcome.signal}`
    if (/could not (bind|create any TCP)/.test(reason)) throw new PortTakenError(reason)
    throw new Error(`the embedded PostgreSQL did not start: ${reason}`, { cause: outcome.error })
  }
  return {
    pid: child.pid,
    exited: child.exited,
    stop: (options) => {
      stopping = true
      return child.stop(options)
    },
  }
}

/** A fast shutdown says FATAL once for each connection that it ends, which is no news. */
function logLine(log: Logger, line: string, stopping: boolean): void {
  if (line.startsWith('PANIC:')) log.error({ child: 'postgres' }, line)
  else if (!stopping && (line.startsWith('FATAL:') || line.includes('was terminated by signal'))) {
    log.warn({ child: 'postgres' }, line)
  } else log.debug({ child: 'postgres' }, line)
}
