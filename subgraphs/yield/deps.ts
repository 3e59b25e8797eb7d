import type { Clock } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/log.js'
import type { SubgraphContext } from '../../kernel/subgraph.js'
import type { Tenant } from '../../kernel/tenant.js'
import type { TenantQueue } from '../../kernel/tenant-queue.js'
import type { YieldChain } from './chain/yield-chain.js'
import type { StrategiesCache } from './domain/strategies-cache.js'
import type { OpenMarkets } from './domain/open-markets.js'
import type { ListedMarket, YieldProvider } from './providers/provider.js'
import type { BroadcastsStore } from './store/broadcasts.js'

/** What the deployment decides about yield. */
export interface YieldSettings {
  providers: readonly YieldProvider[]
  /** Every market that is offered, switched off ones too. */
  markets: readonly ListedMarket[]
}

/** What the use cases of yield are given; wired once, in `context.ts`. */
export interface YieldDeps {
  clock: Clock
  log: Logger
  settings: YieldSettings
  chain: YieldChain
  openMarkets: OpenMarkets
  strategies: StrategiesCache
  broadcasts: BroadcastsStore
  /** Broadcasts that wait here for their turn or are under way, by tenant and signatures: the same bytes wait for the same end. */
  inFlight: Map<string, Promise<void>>
  /** Some are sent at once, of each tenant and of all: each asks the chain's nodes, on which payouts live too, until it is final. */
  broadcastQueue: TenantQueue
  /** Runs work at most once for the request's idempotency key, and answers as the first time when it comes again. */
  once: <Answer extends object>(tenant: Tenant, work: () => Promise<Answer>) => Promise<Answer>
  /** Runs work while no other process does so under the same name; undefined where one does. */
  exclusively: <T>(name: string, work: () => Promise<T>) => Promise<{ result: T } | undefined>
  /** Whether the process was told to stop: requests that only wait answer now. */
  isStopping: () => boolean
  delay: (ms: number) => Promise<void>
  broadcastTiming: BroadcastTiming
}

/** How patient a broadcast is, in milliseconds. */
export interface BroadcastTiming {
  /** How long a request waits, from its beginning: for its turn, and for its transaction to be final. */
  waitMs: number
  /** The same of a request with two transactions, the second of which is sent once the first is final. */
  pairWaitMs: number
  /** After how long it is answered at the latest, whatever nodes and database keep waiting; what it has begun goes on without it. */
  answerMs: number
  /** How often it looks. */
  pollMs: number
  /** After how long it sends again what no node has shown yet; the same bytes cannot land twice. */
  resendMs: number
}

export type YieldContext = SubgraphContext<YieldDeps>
