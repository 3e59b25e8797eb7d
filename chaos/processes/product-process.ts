import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../../kernel/log.js'
import { projectRoot } from '../../kernel/root.js'
import { startChild, type Child, type ChildExit } from '../../sandbox/processes/child.js'
import { machineEnv } from '../env.js'
import type { Finding } from '../view.js'
import { send } from './signal-tree.js'

/** One process of the product, kept running as an orchestrator would do it: what ends is started again. */
export interface ProductProcess {
  name: string
  url: string
  /** Where all that it ever wrote is. */
  logFile: string
  /** Starts it, with these settings besides its own; where it runs already, nothing happens. */
  start: (extra?: Readonly<Record<string, string>>) => void
  /** Resolves once `/readyz` answers 200. @throws Error after the deadline */
  untilReady: (timeoutMs: number) => Promise<void>
  freeze: () => void
  thaw: () => void
  /** SIGKILL; it stays down until it is started. */
  kill: () => Promise<void>
  /** SIGTERM; it stays down until it is started. A process that was ready has to end by itself within 10 s, with code 0. */
  stop: () => Promise<void>
  /** What it did against the promises since the last time this was asked. */
  takeFindings: () => Finding[]
}

/** What a process is made of. */
export interface ProcessOptions {
  name: string
  /** Stays its own, so that it comes back at the same address. */
  port: number
  /** All that it is told. */
  environment: Readonly<Record<string, string>>
  /** Where its log is written. */
  folder: string
  log: Logger
}

/** The promise of the issue. */
const STOP_WITHIN_MS = 10_000
const RESTART_DELAY_MS = 500
const POLL_MS = 100
const READYZ_TIMEOUT_MS = 2_000

interface State extends ProcessOptions {
  url: string
  note: (line: string) => void
  child: Child | undefined
  /** Those whose end was asked for. */
  ending: WeakSet<Child>
  isWanted: boolean
  wasReady: boolean
  isFrozen: boolean
  extra: Readonly<Record<string, string>>
  findings: Finding[]
}

/** Makes a process that runs `dist/main.js`, and does not start it yet. */
export function productProcess(options: ProcessOptions): ProductProcess {
  const { name, port, folder } = options
  const logFile = join(folder, `${name}.log`)
  const file = createWriteStream(logFile, { flags: 'a' })
  const state: State = {
    ...options,
    url: `http://127.0.0.1:${port}`,
    note: (line) => void file.write(`${line}\n`),
    child: undefined,
    ending: new WeakSet(),
    isWanted: false,
    wasReady: false,
    isFrozen: false,
    extra: {},
    findings: [],
  }
  return {
    name,
    url: state.url,
    logFile,
    start: (extra = {}) => {
      state.extra = { ...state.extra, ...extra }
      state.isWanted = true
      if (state.child === undefined) launch(state)
    },
    untilReady: async (timeoutMs) => {
      const deadlineMs = performance.now() + timeoutMs
      while (!(state.child && (await isReady(state.url)))) {
        if (performance.now() > deadlineMs) throw new Error(`${name} is not ready within ${timeoutMs} ms`)
        await delay(POLL_MS)
      }
    },
    freeze: () => {
      if (state.child?.pid === undefined || state.ending.has(state.child)) return
      state.isFrozen = true
      send(state.child.pid, 'SIGSTOP')
    },
    thaw: () => {
      thaw(state)
    },
    kill: () => kill(state),
    stop: () => stop(state),
    takeFindings: () => state.findings.splice(0),
  }
}

function launch(state: State): void {
  state.note(`--- start ${new Date().toISOString()} ${JSON.stringify(state.extra)}`)
  const child = startChild({
    name: state.name,
    command: process.execPath,
    args: [join(projectRoot, 'dist', 'main.js')],
    env: { ...machineEnv, ...state.environment, ...state.extra, PORT: String(state.port) },
    stopSignal: 'SIGTERM',
    log: state.log,
    onLine: state.note,
  })
  state.child = child
  state.wasReady = false
  state.isFrozen = false
  void child.exited.then((exit) => afterExit(state, child, exit))
  void watchReadiness(state, child)
}

/** Without its database a start ends, which is right; what has been ready once has to stay. */
async function afterExit(state: State, child: Child, { code, signal }: ChildExit): Promise<void> {
  state.note(`--- end ${new Date().toISOString()} code ${code} signal ${signal}`)
  if (state.child === child) state.child = undefined
  if (state.ending.has(child)) return
  if (state.wasReady) {
    state.findings.push({ promise: 'lives', text: `${state.name} ended by itself (code ${code}, signal ${signal})` })
  }
  await delay(RESTART_DELAY_MS)
  if (state.isWanted && !hasChild(state)) launch(state)
}

function hasChild({ child }: State): boolean {
  return child !== undefined
}

async function watchReadiness(state: State, child: Child): Promise<void> {
  while (state.child === child && !state.wasReady) {
    if (await isReady(state.url)) state.wasReady = true
    else await delay(POLL_MS)
  }
}

function thaw(state: State): void {
  state.isFrozen = false
  if (state.child?.pid !== undefined) send(state.child.pid, 'SIGCONT')
}

async function kill(state: State): Promise<void> {
  state.isWanted = false
  const { child } = state
  if (child?.pid === undefined) return
  state.ending.add(child)
  send(child.pid, 'SIGKILL')
  await child.exited
}

async function stop(state: State): Promise<void> {
  state.isWanted = false
  const { child, wasReady, name } = state
  if (!child) return
  state.ending.add(child)
  if (state.isFrozen) thaw(state)
  const startMs = performance.now()
  const { code, signal } = await child.stop({ timeoutMs: STOP_WITHIN_MS })
  const isLate = performance.now() - startMs >= STOP_WITHIN_MS
  // A SIGKILL before is a fault that came between.
  if (!wasReady || code === 0 || (signal === 'SIGKILL' && !isLate)) return
  const how = isLate ? 'did not end within 10 s of SIGTERM' : `ended with code ${code} (${signal})`
  state.findings.push({ promise: 'stops', text: `${name} ${how}, see its log` })
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`, { signal: AbortSignal.timeout(READYZ_TIMEOUT_MS) }).then(
    async (response) => {
      await response.text()
      return response.ok
    },
    () => false,
  )
}
