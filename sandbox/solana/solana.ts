import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from '../../kernel/log.js'
import { projectRoot } from '../../kernel/root.js'
import { startChild, type Child, type ChildExit } from '../processes/child.js'
import { choosePort, rememberPort } from '../processes/kept-port.js'
import { control } from './control.js'
import type { ServeOptions } from './serve.js'

/** A running Solana chain of the sandbox. */
export interface Solana {
  rpcUrl: string
  /** The chain's present process; another one after a crash. */
  pid: () => number | undefined
  /** Moves the chain's clock forward. */
  advance: (seconds: number) => Promise<void>
  /** Saves the state and ends the process. */
  stop: () => Promise<void>
}

/** How to start the chain. Without `dataDir` it keeps nothing after `stop`, and without `port` it takes a free one. */
export interface SolanaOptions {
  dataDir?: string
  port?: number
  /** How far the product's clock is ahead of the machine's, in milliseconds. */
  aheadMs?: number
  /** Programs that have to be there, by their addresses; compiled for Solana's virtual machine. */
  programs?: readonly { id: string; bytes: Uint8Array }[]
  log: Logger
  /** Told when the process has ended without `stop()` and could not be brought back. */
  onCrash?: (reason: Error) => void
}

const READY_TIMEOUT_MS = 15_000
/** A chain that dies this often in a minute dies at once each time. */
const MAX_RESTARTS_PER_MINUTE = 5

/**
 * Starts the sandbox's Solana: LiteSVM behind the JSON-RPC of a node. It runs in a process of its own, because the native
 * code aborts the process on what it does not expect; it is then started again with all that it had answered.
 * @throws Error where litesvm is missing, the port is taken, or it is not ready within 15 s
 */
export async function startSolana(options: SolanaOptions): Promise<Solana> {
  const { log } = options
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'sandbox-solana-'))
  mkdirSync(dataDir, { recursive: true })
  let aheadMs = options.aheadMs ?? 0
  const restarts: number[] = []
  let stopping = false

  const giveUp = (reason: Error): void => {
    log.error({ err: reason }, "the sandbox's Solana chain is gone")
    options.onCrash?.(reason)
  }
  const onCrash = (exit: ChildExit): void => {
    if (stopping) return
    const now = performance.now()
    restarts.push(now)
    const recent = restarts.filter((at) => now - at < 60_000)
    log.warn({ code: exit.code, signal: exit.signal }, "the sandbox's Solana chain has ended; starting it again")
    if (recent.length > MAX_RESTARTS_PER_MINUTE) {
      giveUp(new Error("the sandbox's Solana chain ends again and again"))
      return
    }
    running = start(port)
    running.catch(giveUp)
  }
  let current: Running | undefined
  const start = async (port: number): Promise<Running> => {
    current = undefined
    current = await launch({ dataDir, port, aheadMs }, log, onCrash)
    return current
  }
  let running = start(await choosePort(options))
  const { port, rpcUrl } = await running
  const stop = async (): Promise<void> => {
    stopping = true
    const process = await running.catch(() => undefined)
    await process?.child.stop({ timeoutMs: 5_000 })
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    for (const { id, bytes } of options.programs ?? []) await control(rpcUrl).addProgram(id, bytes)
    if (options.dataDir !== undefined) rememberPort(dataDir, port)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    rpcUrl,
    pid: () => current?.child.pid,
    advance: async (seconds) => {
      // A process that is being started again has the old time, and cannot be told the new one yet.
      await running
      aheadMs += seconds * 1000
      await control(rpcUrl).advance(seconds)
    },
    stop,
  }
}

interface Running {
  child: Child
  port: number
  rpcUrl: string
}

/** Starts the process and waits for the line that tells its address. */
async function launch(serve: ServeOptions, log: Logger, onCrash: (exit: ChildExit) => void): Promise<Running> {
  const listening = Promise.withResolvers<string>()
  let reason: string | undefined
  let ready = false
  const child = startChild({
    name: 'solana',
    command: process.execPath,
    // Tests run from source, the child always from the build: Node alone does not run this TypeScript.
    args: [join(projectRoot, 'dist/sandbox/solana/main.js'), JSON.stringify(serve)],
    stopSignal: 'SIGTERM',
    log,
    onLine: (line) => {
      const url = /^Listening on (http:\S+)$/.exec(line)?.[1]
      if (url !== undefined) listening.resolve(url)
      else log.debug({ child: 'solana' }, line)
      reason ??= /^error: (.*)/.exec(line)?.[1]
    },
    onExit: (exit) => {
      const cause = exit.error?.message ?? reason ?? `exit code ${exit.code ?? exit.signal}`
      listening.reject(new Error(`The sandbox's Solana chain (LiteSVM) did not start: ${cause}`))
      if (ready && !exit.expected) onCrash(exit)
    },
  })
  const timer = setTimeout(() => {
    listening.reject(new Error("The sandbox's Solana chain (LiteSVM) is not ready."))
  }, READY_TIMEOUT_MS)
  try {
    const rpcUrl = await listening.promise
    ready = true
    return { child, port: Number(new URL(rpcUrl).port), rpcUrl }
  } catch (error) {
    await child.stop({ timeoutMs: 1_000 })
    throw error
  } finally {
    clearTimeout(timer)
  }
}
