import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { projectRoot } from '../kernel/root.js'
import { createLog } from '../kernel/log.js'
import { startChild, type Child } from '../sandbox/processes/child.js'
import { environmentWith } from './env.js'
import type { TargetName } from './cases.js'
import type { TargetSettings } from './targets/settings.js'

const READY_TIMEOUT_MS = 120_000

/** The kernel's USER_HZ is 100 on every platform that Node runs on. */
const MS_PER_TICK = 10

/** More than any target can answer: the window is kept and asked, but nobody is turned away. */
export const LIMIT_PER_MINUTE = 1_000_000

/** A target that answers requests. */
export interface RunningTarget {
  port: number
  /** Resident memory of the process that clients speak to, in MB. */
  residentMb: () => Promise<number>
  /** Processor time that its processes have used so far, in milliseconds. */
  cpuMs: () => Promise<number>
  stop: () => Promise<void>
}

/** Starts a target in processes of its own and waits until it is ready. */
export async function startTarget(name: TargetName, settings: TargetSettings, dataDir: string): Promise<RunningTarget> {
  if (name === 'product') {
    // The worker's jobs would be more work than the others do; it is a role of its own.
    return startProduct({ settings, dataDir, roles: 'gateway,payments,orders,accounts,yield' })
  }
  if (name === 'handwritten') return startOther(name, settings, settings.port)
  const subgraphs = await startOther('stock-subgraphs', settings, settings.subgraphsPort)
  const gateway = await startOther('stock-gateway', settings, settings.port)
  return {
    ...gateway,
    cpuMs: async () => (await gateway.cpuMs()) + (await subgraphs.cpuMs()),
    stop: async () => {
      await gateway.stop()
      await subgraphs.stop()
    },
  }
}

/** Starts the product as `npm start` does. */
export async function startProduct(options: {
  settings: TargetSettings
  dataDir: string
  roles: string
}): Promise<RunningTarget> {
  const { settings, dataDir, roles } = options
  const environment = {
    ROLE: roles,
    PORT: String(settings.port),
    DATA_DIR: dataDir,
    MODE: 'sandbox',
    DATABASE_URL: settings.databaseUrl,
    PUBLIC_URL: settings.publicUrl,
    RATE_LIMIT_PER_MINUTE: String(settings.limitPerMinute),
    LOG_LEVEL: 'warn',
    ...(settings.files && { CHAINS_FILE: settings.files.chains, YIELD_MARKETS_FILE: settings.files.yieldMarkets }),
  }
  const command = await startCommand()
  return startProcess('product', settings.port, command.args, { ...environment, ...command.environment })
}

/** Starts the product as `npm start` does, with everything embedded, on a data folder of its own. */
export async function startWholeProduct(options: {
  port: number
  dataDir: string
  limitPerMinute?: number
  /** Other settings of the environment. */
  environment?: Readonly<Record<string, string>>
}): Promise<RunningTarget> {
  const command = await startCommand()
  const environment = {
    PORT: String(options.port),
    DATA_DIR: options.dataDir,
    RATE_LIMIT_PER_MINUTE: String(options.limitPerMinute ?? LIMIT_PER_MINUTE),
    LOG_LEVEL: 'warn',
    ...command.environment,
    ...options.environment,
  }
  return startProcess('product', options.port, command.args, environment)
}

/** What `npm start` gives Node, from the project's own script: settings of its memory, flags, and the program. */
async function startCommand(): Promise<{ args: string[]; environment: Record<string, string> }> {
  const { scripts } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  const words = scripts.start.split(' ')
  const settings = words.slice(0, words.indexOf('exec')).map((word) => word.split('=') as [string, string])
  const args = words.slice(words.indexOf('node') + 1)
  return {
    args: args.map((word) => (word.endsWith('.js') ? join(projectRoot, word) : word)),
    environment: Object.fromEntries(settings),
  }
}

function startOther(name: string, settings: TargetSettings, port: number): Promise<RunningTarget> {
  return startProcess(name, port, [join(import.meta.dirname, 'target.js'), name, JSON.stringify(settings)], {})
}

async function startProcess(
  name: string,
  port: number,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<RunningTarget> {
  const output: string[] = []
  const child = startChild({
    name,
    command: process.execPath,
    args,
    env: environmentWith(environment),
    stopSignal: 'SIGTERM',
    log: createLog('warn'),
    onLine: (line) => output.push(line),
  })
  try {
    await waitUntilReady(child, port)
  } catch (error) {
    await child.stop()
    throw new Error(`${name}: ${(error as Error).message}\n${output.join('\n')}`, { cause: error })
  }
  return {
    port,
    residentMb: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
    },
    cpuMs: async () => {
      const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8')
      // Fields 14 and 15 of proc(5), user and system time in ticks; the second field may hold blanks but ends with `)`.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
    },
    stop: async () => {
      await child.stop()
    },
  }
}

/** Asks `/readyz` until it answers 200. Throws where the process ends or takes too long. */
async function waitUntilReady(child: Child, port: number): Promise<void> {
  const ended = child.exited.then(() => 'ended' as const)
  const deadlineMs = performance.now() + READY_TIMEOUT_MS
  while (!(await isReady(port))) {
    if ((await Promise.race([ended, delay(20)])) === 'ended') throw new Error('it ended before it was ready')
    if (performance.now() > deadlineMs) throw new Error(`it was not ready within ${READY_TIMEOUT_MS} ms`)
  }
}

/** Whether a server's `/readyz` answers 200 now. */
export async function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    async (response) => {
      await response.text()
      return response.ok
    },
    () => false,
  )
}
