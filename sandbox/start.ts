import type { Chain } from '../chains/chain.js'
import type { AdjustableClock } from '../kernel/clock.js'
import type { Logger } from '../kernel/log.js'
import { startEvmChain, type ChainPace } from './anvil/start.js'
import { controlsOf, simulatedOf, type Parts } from './describe.js'
import { startKycSandbox } from './kyc/start.js'
import { startMailSandbox } from './mail/start.js'
import { initialPriceOf, startPriceSimulator } from './prices/simulator.js'
import { RAIL_SIMULATORS, type RailSimulator } from './rails.js'
import { lockDataDir, type DataDirLock } from './processes/data-dir-lock.js'
import { startEmbeddedPostgres } from './processes/postgres.js'
import { startRouterSimulator } from './router/simulator.js'
import { SANDBOX_PARTS, type PartialSandbox, type Sandbox, type SandboxPart } from './sandbox.js'
import { startSeededSolana } from './solana/seeded.js'
import { openState, portOf, type StateFile } from './state.js'

/** How to start a sandbox. */
export interface SandboxOptions {
  /** Where it keeps everything; no other process may use it. */
  dataDir: string
  /** A PostgreSQL to use instead of the embedded one. */
  databaseUrl: string | undefined
  clock: AdjustableClock
  log: Logger
  onGiveUp: (error: Error) => void
  /** How fast its EVM chain is; each transaction is mined at once, and one confirmation is enough, if left out. */
  pace?: ChainPace
}

/** What is started, and what those parts are told of the others that are configured instead. */
interface PartOptions {
  parts: readonly SandboxPart[]
  /** The rails whose providers are simulated, by name; one that has no simulator is passed over. */
  rails: readonly string[]
  /** The configured chains, for the router where the sandbox has none of its own. */
  chains: readonly Chain[]
}

type Running = (() => Promise<void>)[]

/**
 * Starts database, chains and simulators on a data folder that no other process may use.
 * @throws Error with one clear line where the folder is in use or a part cannot start; what was started is stopped
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await startSandboxParts({
    ...options,
    parts: SANDBOX_PARTS,
    rails: Object.keys(RAIL_SIMULATORS),
    chains: [],
  })
  if (isWhole(sandbox)) return sandbox
  await sandbox.stop()
  throw new Error('a part of the sandbox is missing')
}

function isWhole(sandbox: PartialSandbox): sandbox is Sandbox {
  return Object.values(sandbox).every((part) => part !== undefined)
}

/**
 * Starts some parts of a sandbox on a data folder that no other process may use.
 * @throws Error as `startSandbox`
 */
export async function startSandboxParts(options: SandboxOptions & PartOptions): Promise<PartialSandbox> {
  const { clock } = options
  const running: Running = []
  const stop = async (): Promise<void> => {
    for (const end of running.splice(0).reverse()) await end()
  }
  try {
    const lock = await lockDataDir(options.dataDir)
    running.push(() => lock.release())
    const file = openState(lock.dataDir)
    clock.advance(file.state.clockAheadMs)
    const parts = await startParts(options, { lock, file, running })
    return { ...simulatedOf(parts, options.parts.includes('keys')), ...controlsOf(parts, { clock, stop }) }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startParts(
  options: SandboxOptions & PartOptions,
  home: { lock: DataDirLock; file: StateFile; running: Running },
): Promise<Parts> {
  const { clock } = options
  const { file, running } = home
  const { dataDir } = home.lock
  const has = (part: SandboxPart): boolean => options.parts.includes(part)
  const started = async <Part extends { close: () => Promise<void> }>(
    isWanted: boolean,
    start: () => Promise<Part>,
  ): Promise<Part | undefined> => {
    if (!isWanted) return undefined
    const simulator = await start()
    running.push(() => simulator.close())
    return simulator
  }
  const prices = await started(has('prices'), async () =>
    startPriceSimulator({ port: await portOf(file, 'price'), clock }),
  )
  const [databaseUrl, evm, solana] = await Promise.all([
    has('database') ? startDatabase(options, home) : options.databaseUrl,
    has('chains') ? startEvmChain(options, home) : undefined,
    has('chains')
      ? startSeededSolana({ dataDir, state: file.state, log: options.log, onCrash: options.onGiveUp }, running)
      : undefined,
  ])
  const priceOf = (symbol: string): string | undefined => (prices ? prices.price(symbol) : initialPriceOf(symbol))
  const chains = evm ? [evm, ...(solana ? [solana.chain] : [])] : options.chains
  const router = await started(has('router'), async () =>
    startRouterSimulator({ port: await portOf(file, 'router'), chains, priceOf }),
  )
  const mail = await started(has('mail'), () => startMailSandbox({ file, clock }))
  const kyc = await started(has('verifier'), () => startKycSandbox({ file, dataDir, clock }))
  const rails: Record<string, RailSimulator> = {}
  for (const [name, start] of Object.entries(RAIL_SIMULATORS)) {
    const rail = await started<RailSimulator>(options.rails.includes(name), () => start({ file, dataDir, clock }))
    if (rail) rails[name] = rail
  }
  return { file, dataDir, databaseUrl, evm, solana, prices, router, mail, kyc, rails }
}

async function startDatabase(
  { databaseUrl, log, onGiveUp }: SandboxOptions,
  { lock, running }: { lock: DataDirLock; running: Running },
): Promise<string> {
  if (databaseUrl !== undefined) return databaseUrl
  const postgres = await startEmbeddedPostgres({ lock, log, onGiveUp })
  running.push(() => postgres.stop())
  return postgres.databaseUrl
}
