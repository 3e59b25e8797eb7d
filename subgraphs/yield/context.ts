import { setTimeout as delay } from 'node:timers/promises'
import type { Chain, SolanaChain } from '../../chains/chain.js'
import { withAdvisoryLock } from '../../kernel/advisory-lock.js'
import type { Clock } from '../../kernel/clock.js'
import { openDatabase, type Database } from '../../kernel/database.js'
import { AppError } from '../../kernel/errors.js'
import { idempotentlyAnswered } from '../../kernel/idempotency.js'
import type { Logger } from '../../kernel/log.js'
import type { RequestContext } from '../../kernel/subgraph.js'
import { tenantQueue, type QueueLimits } from '../../kernel/tenant-queue.js'
import { solanaYieldChain } from './chain/solana-yield-chain.js'
import type { YieldChain } from './chain/yield-chain.js'
import type { BroadcastTiming, YieldDeps, YieldSettings } from './deps.js'
import { marketOpener } from './domain/open-markets.js'
import { readMarkets } from './domain/read-markets.js'
import { strategiesCache } from './domain/strategies-cache.js'
import type { YieldConfig } from './parse-yield-config.js'
import type { ProviderEnvironment } from './providers/provider.js'
import { PROVIDERS } from './providers/registry.js'
import { createYield } from './store/migrations/0001-yield.js'
import { findOldBroadcasts } from './store/migrations/0002-old-broadcasts.js'
import { BroadcastEntity, broadcastsStore } from './store/broadcasts.js'

/** How long the chain may take for one answer; each provider's figures are one. */
const RPC_TIMEOUT_MS = 5_000
/** All less than the 60 seconds after which a gateway in another process gives a mutation up, and cannot say what was sent. */
const BROADCAST_TIMING: BroadcastTiming = {
  waitMs: 30_000,
  pairWaitMs: 50_000,
  answerMs: 55_000,
  pollMs: 200,
  resendMs: 2_000,
}

/** What the deployment decides about yield. */
export interface YieldOptions {
  config: YieldConfig
  chains: readonly Chain[]
  strategiesTtlSeconds: number
  /** The providers' own variables. */
  environment?: ProviderEnvironment
  clock: Clock
  log: Logger
  rpcTimeoutMs?: number
  broadcastTiming?: BroadcastTiming
  /** Aborted when the process is told to stop. */
  stopping?: AbortSignal | undefined
}

/** Connects yield to its PostgreSQL schema. */
export function openYieldDatabase(options: { url: string; poolSize: number; log: Logger }): Promise<Database> {
  return openDatabase({
    ...options,
    schema: 'yield',
    entities: [BroadcastEntity],
    migrations: [
      { name: '0001-yield', statements: createYield },
      { name: '0002-old-broadcasts', statements: findOldBroadcasts },
    ],
  })
}

/** Makes the dependencies of a request; nothing of them is the request's own, so they are made once. */
export function yieldContext(db: Database, options: YieldOptions): (context: RequestContext) => YieldDeps {
  const deps = yieldDeps(db, options)
  return () => deps
}

/**
 * One is final within 15 seconds as a rule: what a tenant has running at once, in a process, is two a second, and what all have is
 * 17. The others wait their turn, as many as it can come to while their requests last.
 */
const BROADCASTS_MAX: QueueLimits = { running: 32, waiting: 100, ofAll: { running: 256, waiting: 1_000 } }

function yieldDeps(db: Database, options: YieldOptions): YieldDeps {
  const { clock, log, config } = options
  const settings: YieldSettings = { providers: PROVIDERS, markets: config.markets }
  const chain = chainOf(options)
  const openMarkets = marketOpener(chain, options.environment ?? {})
  return {
    clock,
    log,
    settings,
    chain,
    openMarkets,
    strategies: strategiesCache({
      providers: PROVIDERS.map(({ name }) => name),
      load: (name, last) => readMarkets({ chain, log, openMarkets }, config.markets.filter(({ provider }) => provider.name === name), last), // prettier-ignore
      ttlMs: options.strategiesTtlSeconds * 1000,
      clock,
      log,
    }),
    broadcasts: broadcastsStore(db, clock),
    inFlight: new Map(),
    broadcastQueue: tenantQueue(BROADCASTS_MAX),
    once: (tenant, work) => idempotentlyAnswered({ pool: db.pool, clock }, tenant, work),
    exclusively: (name, work) => withAdvisoryLock(db.pool, name, work),
    isStopping: () => options.stopping?.aborted ?? false,
    delay: (ms) => delay(ms),
    broadcastTiming: options.broadcastTiming ?? BROADCAST_TIMING,
  }
}

/**
 * The chain that the markets are on.
 * @throws Error where markets are configured for a chain that the deployment does not have
 */
function chainOf({ config, chains, clock, rpcTimeoutMs }: YieldOptions): YieldChain {
  const solana = chains.filter((chain): chain is SolanaChain => chain.family === 'solana')
  const chain = solana.find(({ name }) => config.chainName === undefined || name === config.chainName)
  if (chain) {
    const timing = { timeoutMs: rpcTimeoutMs ?? RPC_TIMEOUT_MS, nowMs: () => clock.now().getTime() }
    return solanaYieldChain(chain, { lookupTable: config.lookupTable, ...timing })
  }
  if (config.markets.length > 0)
    throw new Error('yield markets are configured, but not the Solana chain that they are on')
  return absentChain()
}

/** Stands where no Solana chain is configured: no name fits it, and nothing can be asked of it. */
function absentChain(): YieldChain {
  const refuse = (): Promise<never> => Promise.reject(new AppError('provider_unavailable'))
  return {
    name: '',
    readAccounts: refuse,
    latestBlockhash: refuse,
    simulate: refuse,
    priorityFee: refuse,
    lookupTable: refuse,
    findSignature: refuse,
    blocksLeft: () => Promise.resolve(undefined),
    newestSlot: () => 0,
    noteLanded: () => undefined,
    send: refuse,
  }
}
