import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '../../kernel/log.js'
import { startChild, type Child, type ChildExit } from '../processes/child.js'
import { findLastingPort, isPortFree } from '../processes/free-port.js'
import { findAnvilBinary } from './binary.js'
import { keepState, prepareStateFile, stateFilePath, type StateKeeper } from './state-file.js'
import { createAnvilClient, type AnvilClient } from './test-client.js'

/** A running EVM node of the sandbox. */
export interface Anvil {
  rpcUrl: string
  /** The node's own process. */
  pid: number | undefined
  /** Saves the state and ends the process. */
  stop(): Promise<void>
}

/** How to start anvil. Without `dataDir` it keeps nothing, and without `port` it takes a free one. */
export interface AnvilOptions {
  /** Keeps the chain's state and its port across starts. */
  dataDir?: string
  port?: number
  chainId?: number
  log: Logger
  /** Told when the process ends without `stop()`. */
  onCrash?: (exit: ChildExit) => void
}

const READY_TIMEOUT_MS = 15_000

/**
 * Starts an EVM node that mines each transaction at once. It mines no empty blocks: the state file holds every block, and
 * one a second would make it grow by 150 MB a day. It has no rich accounts whose keys everybody knows.
 * @throws Error where the program is missing, the port is taken, or it is not ready within 15 s
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const { dataDir, log, chainId = 31337 } = options
  if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true })
  const stateFile = dataDir === undefined ? undefined : stateFilePath(dataDir)
  const args = ['--host', '127.0.0.1', '--port', String(await choosePort(options)), '--chain-id', String(chainId)]
  args.push('--accounts', '0')
  if (stateFile !== undefined && prepareStateFile(stateFile, log)) args.push('--load-state', stateFile)

  const { child, port } = await launch(args, options)
  const rpcUrl = `http://127.0.0.1:${port}`
  const client = createAnvilClient(rpcUrl)
  try {
    await catchUpTime(client)
  } catch (error) {
    await child.stop({ timeoutMs: 1_000 })
    throw error
  }
  if (dataDir !== undefined) writeFileSync(portFilePath(dataDir), `${port}\n`)
  const keeper = stateFile === undefined ? undefined : keepState(client, stateFile, log)
  return { rpcUrl, pid: child.pid, stop: () => stopAnvil(child, keeper) }
}

/** Starts the process and waits for the line that tells its port: only its own words prove that it has the port. */
async function launch(args: readonly string[], options: AnvilOptions): Promise<{ child: Child; port: number }> {
  const listening = Promise.withResolvers<number>()
  const lines: string[] = []
  let ready = false
  const child = startChild({
    name: 'anvil',
    command: findAnvilBinary(),
    args,
    stopSignal: 'SIGTERM',
    log: options.log,
    // Once it listens, its output is a line or more for every call: not worth keeping.
    onLine: (line) => {
      if (ready) return
      lines.push(line)
      const port = /^Listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1]
      if (port !== undefined) listening.resolve(Number(port))
    },
    onExit: (exit) => {
      const reason = exit.error?.message ?? lines.find((line) => /^error/i.test(line)) ?? `exit code ${exit.code}`
      listening.reject(new Error(`The sandbox's EVM node (anvil) did not start: ${reason}`))
      if (ready && !exit.expected) options.onCrash?.(exit)
    },
  })
  const timer = setTimeout(
    () => listening.reject(new Error("The sandbox's EVM node (anvil) is not ready.")),
    READY_TIMEOUT_MS,
  )
  try {
    const port = await listening.promise
    ready = true
    return { child, port }
  } catch (error) {
    await child.stop({ timeoutMs: 1_000 })
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function stopAnvil(child: Child, keeper: StateKeeper | undefined): Promise<void> {
  await keeper?.stop()
  await child.stop({ timeoutMs: 5_000 })
}

/** A chain that was moved forward in time before a restart must not go back, or its blocks would be older than before. */
async function catchUpTime(client: AnvilClient): Promise<void> {
  const block = await client.getBlock({ blockTag: 'latest' })
  const aheadSeconds = Number(block.timestamp) - Math.floor(Date.now() / 1_000)
  if (aheadSeconds > 0) await client.increaseTime({ seconds: aheadSeconds })
}

/** The wanted port, or the remembered one while it is free, or a new one; 0 lets anvil choose. */
async function choosePort({ port, dataDir }: AnvilOptions): Promise<number> {
  if (port !== undefined) return port
  if (dataDir === undefined) return 0
  const remembered = existsSync(portFilePath(dataDir)) ? Number(readFileSync(portFilePath(dataDir), 'utf8')) : 0
  const usable = Number.isInteger(remembered) && remembered > 0 && remembered < 65_536
  return usable && (await isPortFree(remembered)) ? remembered : findLastingPort()
}

function portFilePath(dataDir: string): string {
  return join(dataDir, 'port')
}
