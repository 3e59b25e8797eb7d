import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock, type Clock } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/log.js'
import { startChild, type Child, type ChildExit } from '../processes/child.js'
import { choosePort, rememberPort } from '../processes/kept-port.js'
import { findAnvilBinary } from './binary.js'
import { openJournal } from './journal.js'
import { startRecorder } from './recorder.js'
import { replay } from './replay.js'
import { keepState, prepareStateFile, stateFilePath } from './state-file.js'
import { createAnvilClient, setTime, type AnvilClient } from './test-client.js'

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
  /** The product's clock: the chain's time is not behind it. */
  clock?: Clock
  /** `safe` is this many blocks behind `latest`, and `finalized` twice as many; 32 unless told. */
  slotsInEpoch?: number
  log: Logger
  /** Told when the process ends without `stop()`. */
  onCrash?: (exit: ChildExit) => void
}

const READY_TIMEOUT_MS = 15_000

/** What a block of Polygon PoS holds (PIP-71). Anvil's own 30 million would be ten batches of payouts. */
const BLOCK_GAS_LIMIT = '60000000'

/**
 * Starts an EVM node that mines each transaction at once. It mines no empty blocks: the state file holds every block, and
 * one a second would make it grow by 150 MB a day. It has no rich accounts whose keys everybody knows.
 *
 * With `dataDir` nothing that it took is ever lost, however it ends: what changes the chain is written down before the node
 * has it (`startRecorder`), and made again at the next start where the state file is older.
 * @throws Error where the program is missing, the port is taken, or it is not ready within 15 s
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const { dataDir, log, chainId = 31337, clock = systemClock } = options
  if (dataDir !== undefined) return startKeptAnvil({ ...options, dataDir })
  const args = ['--port', String(options.port ?? 0), '--chain-id', String(chainId), ...commonArgs(options)]
  const { child, port } = await launch(args, { ...options, log })
  const rpcUrl = `http://127.0.0.1:${port}`
  await orStopped(child, () => catchUpTime(createAnvilClient(rpcUrl), clock))
  return { rpcUrl, pid: child.pid, stop: async () => void (await child.stop({ timeoutMs: 5_000 })) }
}

async function startKeptAnvil(options: AnvilOptions & { dataDir: string }): Promise<Anvil> {
  const { dataDir, log, chainId = 31337, clock = systemClock } = options
  mkdirSync(dataDir, { recursive: true })
  const stateFile = stateFilePath(dataDir)
  const args = ['--port', '0', '--chain-id', String(chainId), ...commonArgs(options)]
  if (prepareStateFile(stateFile, log)) args.push('--load-state', stateFile)
  const publicPort = await choosePort(options)
  const { child, port: nodePort } = await launch(args, options)
  return orStopped(child, async () => {
    const client = createAnvilClient(`http://127.0.0.1:${nodePort}`)
    const journal = openJournal(join(dataDir, 'journal.jsonl'))
    const lacked = await replay(client, journal)
    if (lacked > 0) log.info({ lacked }, "the EVM chain's saved state was older than the chain; it is whole again")
    await catchUpTime(client, clock)
    const recorder = await startRecorder({ port: publicPort, nodePort, journal, now: () => clock.now() })
    rememberPort(dataDir, publicPort)
    const keeper = keepState(client, { file: stateFile, journal, log })
    const stop = async (): Promise<void> => {
      await recorder.close()
      await keeper.stop()
      await journal.close()
      await child.stop({ timeoutMs: 5_000 })
    }
    return { rpcUrl: `http://127.0.0.1:${publicPort}`, pid: child.pid, stop }
  })
}

function commonArgs({ slotsInEpoch }: AnvilOptions): string[] {
  const epoch = slotsInEpoch === undefined ? [] : ['--slots-in-an-epoch', String(slotsInEpoch)]
  return ['--host', '127.0.0.1', '--accounts', '0', '--gas-limit', BLOCK_GAS_LIMIT, ...epoch]
}

/** What is done with a node that has just started; it is ended where that fails. */
async function orStopped<T>(child: Child, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await child.stop({ timeoutMs: 1_000 })
    throw error
  }
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

/**
 * Brings the chain's time to the product's. A chain that was moved forward before a restart must not go back, or its blocks
 * would be older than before.
 */
async function catchUpTime(client: AnvilClient, clock: Clock): Promise<void> {
  const { timestamp } = await client.getBlock({ blockTag: 'latest' })
  const nowSeconds = Math.floor(clock.now().getTime() / 1_000)
  const seconds = Math.max(Number(timestamp), nowSeconds)
  await setTime(client, seconds)
}
