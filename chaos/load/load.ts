import { setTimeout as delay } from 'node:timers/promises'
import type { JournalEntry, TenantView, HarnessView } from '../view.js'
import { createClient, GaveUpError, OWED_MS, type Client, type ClientOptions } from './client.js'
import type { EvmPurse } from './evm-purse.js'
import { keepOrders } from './keep-orders.js'
import { lend } from './lend.js'
import { openOrderShelf } from './order-shelf.js'
import { payByCard } from './pay-by-card.js'
import { payByEvmWallet } from './pay-by-evm-wallet.js'
import { payByPix } from './pay-by-pix.js'
import { payBySolanaWallet } from './pay-by-solana-wallet.js'
import { between, pickNamed, randomOf } from '../random.js'
import { openSolanaPurse } from './solana-purse.js'
import { subscriptions } from './subscribe.js'
import { verifyPayer } from './verify-payer.js'
import type { FlowContext } from './flow-context.js'

/** A load that runs until it is stopped. */
export interface RunningLoad {
  /** Begins no more flows; those that run go on. */
  beginNoMore: () => void
  /**
   * Begins no more flows, lets those that run come to their end, and gives all that was done and answered.
   * @param withinMs after which flows that still run are cut off
   */
  stop: (withinMs?: number) => Promise<readonly JournalEntry[]>
  /** What the clients themselves could not do. */
  failures: readonly string[]
}

const STOP_MS = 40_000
/** Clients who wait for answers do not keep others from coming, up to here. */
const OPEN_MAX = 60

type Flow = (context: FlowContext) => Promise<void>

/**
 * Starts clients of all rails. Which flows begin, in which order and with which habits follows from the seed alone; when
 * they come to what does not.
 * @param options.perSecond flows begun in a second, as long as not too many are open
 * @param options.evm of all loads of a harness: two purses would take each other's nonces
 */
export async function startLoad(
  view: HarnessView,
  options: { seed: number; perSecond: number; evm: EvmPurse },
): Promise<RunningLoad> {
  const { seed, perSecond, evm } = options
  const journal: JournalEntry[] = []
  const open = new Map<Promise<unknown>, string>()
  const failures: string[] = []
  let deadline = Number.POSITIVE_INFINITY
  const stopping = new AbortController()
  const background = (work: Promise<unknown>, name = 'another request'): void => {
    // A client that gave up has written so down. Whatever else ended a flow is the harness's: a load that has become less
    // than it says would find less.
    const kept = work
      .catch((error: unknown) => {
        if (!(error instanceof GaveUpError)) failures.push(`a flow of the load ended: ${String(error).slice(0, 300)}`)
      })
      .finally(() => open.delete(kept))
    open.set(kept, name)
  }
  const worlds = openWorlds({ view, journal, background, deadline: () => deadline }, { seed, evm })
  const kinds = flows()
  const starting = (async () => {
    for (const { kind, tenant, flowSeed } of plannedFlows(seed, worlds.length)) {
      while (open.size >= OPEN_MAX && !stopping.signal.aborted) await delay(50)
      if (stopping.signal.aborted) return
      const make = worlds[tenant]
      if (make) background(kinds[kind](make(flowSeed)), kind)
      await delay(1000 / perSecond)
    }
  })()
  return {
    failures,
    beginNoMore: () => stopping.abort(),
    stop: async (withinMs = STOP_MS) => {
      stopping.abort()
      deadline = performance.now() + withinMs
      await starting
      const ended = (async () => {
        while (open.size > 0) await Promise.all(open.keys())
      })()
      // A request that was sent just before its last moment has a deadline of its own.
      await Promise.race([ended, delay(withinMs + OWED_MS + 16_000, undefined, { ref: false })])
      if (open.size > 0) failures.push(`flows of the load have no end: ${[...open.values()].join(', ')}`)
      return journal
    },
  }
}

/** How often each kind of flow begins. */
const WEIGHTS = {
  evm: 5,
  'evm-split': 4,
  solana: 5,
  pix: 6,
  card: 4,
  'card-crypto': 3,
  order: 2,
  subscription: 2,
  yield: 2,
}
type FlowKind = keyof typeof WEIGHTS

/** A flow to begin: its kind, whose it is, and the seed of its habits. */
export interface PlannedFlow {
  kind: FlowKind
  /** Counted from 0. */
  tenant: number
  flowSeed: number
}

/** What begins one after the other; without end. It follows from seed and number of tenants alone. */
export function* plannedFlows(seed: number, tenants: number): Generator<PlannedFlow, never> {
  const random = randomOf(seed)
  for (let number = 0; ; number += 1) {
    yield {
      kind: pickNamed(random, WEIGHTS),
      tenant: between(random, 0, tenants - 1),
      flowSeed: seed * 1_000_003 + number,
    }
  }
}

function flows(): Readonly<Record<FlowKind, Flow>> {
  return {
    evm: (context) => payByEvmWallet(context, 'evm'),
    'evm-split': (context) => payByEvmWallet(context, 'evm-split'),
    solana: payBySolanaWallet,
    pix: payByPix,
    card: (context) => payByCard(context, 'card'),
    'card-crypto': (context) => payByCard(context, 'card-crypto'),
    order: keepOrders,
    subscription: subscriptions(),
    yield: lend,
  }
}

/** For each tenant what makes the context of one flow, with habits of its own. */
function openWorlds(
  shared: ClientOptions,
  { seed, evm }: { seed: number; evm: EvmPurse },
): ((flowSeed: number) => FlowContext)[] {
  const { view } = shared
  const solana = openSolanaPurse(view)
  return view.tenants.map((tenant: TenantView, index) => {
    const client: Client = createClient(shared, tenant, randomOf(seed * 31 + index))
    const parts = { view, client, evm, solana, orders: openOrderShelf(client) }
    let email: string | undefined
    shared.background(verifyPayer(parts).then((verified) => (email = verified)))
    return (flowSeed) => ({
      ...parts,
      client: createClient(shared, tenant, randomOf(flowSeed)),
      verifiedEmail: () => email,
    })
  })
}
