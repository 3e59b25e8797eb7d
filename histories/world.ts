import { adjustableClock, type AdjustableClock } from '../kernel/clock.js'
import { createLog } from '../kernel/log.js'
import type { Tenant } from '../kernel/tenant.js'
import type { SendRefundDeps } from '../subgraphs/payments/domain/charges/send-refund.js'
import type { SyncFeesDeps } from '../subgraphs/payments/domain/reconciliation/sync-fees.js'
import type { RefundPaymentDeps } from '../subgraphs/payments/domain/refunds/refund-payment.js'
import type { ChargeRail } from '../subgraphs/payments/rails/rail.js'
import type { SettleChainDeps } from '../subgraphs/payments/settlement/treasury.js'
import type { Alert } from '../subgraphs/payments/store/alerts.js'
import type { RefundsStore } from '../subgraphs/payments/store/refunds.js'
import { cardProvider, type CardProvider } from './card-provider.js'
import { CHAIN, modelChain, type ModelChain } from './chain.js'
import { ledgerIn } from './ledger.js'
import { openMemory, type Memory } from './memory.js'
import { mortal, type CrashPlan } from './mortal.js'
import { pixProvider, type PixProvider } from './pix-provider.js'
import { chargesIn, paymentsIn, smallStoresIn } from './stores.js'
import { landedIn, payoutsIn } from './treasury-stores.js'

/** What the use cases of histories need. */
export type HistoryDeps = SendRefundDeps & SyncFeesDeps & RefundPaymentDeps & SettleChainDeps

/** What operators have set for the one tenant. */
export interface Terms {
  reservePercent: string | undefined
  bearsGas: boolean
  delayMinutes: number
}

/** Everything of one history: the tables, the world outside, and the use cases' dependencies over both. */
export interface World {
  clock: AdjustableClock
  memory: Memory
  pix: PixProvider
  card: CardProvider
  chain: ModelChain
  /** The price of gas in the blocks to come, in wei. */
  gas: { price: bigint }
  rails: Record<'pix' | 'card', ChargeRail>
  tenant: Tenant
  alerts: Alert[]
  /** The dependencies of a process; of one that dies, where a plan is given. */
  process: (plan?: CrashPlan) => HistoryDeps
  newId: () => string
}

const LASTING = [
  ...(['payments', 'charges', 'quotes', 'refunds', 'ledger', 'payouts', 'landed', 'fees', 'risk', 'payables'] as const),
  ...(['addJob', 'addJobNow', 'alerts', 'differences'] as const),
] as const

const log = createLog('silent')

/** A world in which nothing has happened yet. */
export function openWorld(terms: Terms): World {
  const clock = adjustableClock()
  const memory = openMemory()
  let ids = 0
  const newId = (): string => `c${String((ids += 1)).padStart(24, '0')}`
  const gas = { price: 30_000_000_001n }
  const [pix, card, chain] = [pixProvider(clock, newId), cardProvider(clock), modelChain(() => gas.price)]
  const rails = {
    pix: railOf('pix', pix.adapter, { pixcrypto: false }),
    card: railOf('card', card.adapter, { cardcrypto: false, cardfiat: true }),
  }
  const alerts: Alert[] = []
  const deps = depsOf({ clock, memory, newId, chain, rails, alerts, terms })
  return {
    ...{ clock, memory, pix, card, chain, gas, rails, alerts, newId },
    tenant: { id: 'tenant', products: ['crypto', 'pix', 'credit_card'], requestId: 'history' },
    process: (plan) => (plan ? dying(deps, plan) : deps),
  }
}

/** What the providers do and the chain takes are steps too, of the same process. */
function dying(deps: HistoryDeps, plan: CrashPlan): HistoryDeps {
  const { evm } = deps.payoutChains
  const adapters = deps.rails.map((rail) => (rail.kind === 'charge' ? rail.adapter : undefined))
  const flat = { ...deps, evm, pixAdapter: adapters[0], cardAdapter: adapters[1] }
  const { pixAdapter, cardAdapter, ...mortals } = mortal(flat, [...LASTING, 'evm', 'pixAdapter', 'cardAdapter'], plan)
  const dyingAdapters = [pixAdapter, cardAdapter]
  const rails = deps.rails.map((rail, place) => ({ ...rail, adapter: dyingAdapters[place] }))
  return {
    ...mortals,
    rails: rails as HistoryDeps['rails'],
    payoutChains: { ...(mortals.evm && { evm: mortals.evm }) },
  }
}

function railOf(name: string, adapter: ChargeRail['adapter'], types: Record<string, boolean>): ChargeRail {
  const typesOf = Object.entries(types).map(([type, settlesInFiat]) => [
    type,
    { description: type, method: type, product: 'pix', settlesInFiat },
  ])
  return {
    kind: 'charge',
    name,
    types: Object.fromEntries(typesOf) as ChargeRail['types'],
    needsVerifiedPayer: false,
    check: () => [],
    adapter,
  }
}

type Parts = Pick<World, 'clock' | 'memory' | 'newId' | 'chain' | 'alerts' | 'rails'> & { terms: Terms }

/**
 * The stores in memory under the names that the use cases know. The cast is the one place where less is given than the types
 * say: what is missing is never called by what histories run, and would fail loudly.
 */
function depsOf({ clock, memory, newId, chain, rails, alerts, terms }: Parts): HistoryDeps {
  const small = smallStoresIn(memory)
  const raise = (alert: Alert): Promise<void> => Promise.resolve(void alerts.push(alert))
  const given = {
    ...{ clock, newId, log, ...small },
    isStopping: () => false,
    delay: () => Promise.resolve(),
    settings: { enabledFiats: ['BRL'], chains: [CHAIN], publicClientIdPrefix: undefined },
    rails: Object.values(rails),
    payments: paymentsIn(memory, clock),
    charges: chargesIn(memory),
    refunds: refundsOf(memory, terms),
    ledger: ledgerIn(memory),
    payouts: payoutsIn(memory),
    landed: landedIn(memory),
    fees: { gasBearers: () => Promise.resolve(new Set(terms.bearsGas ? ['tenant'] : [])) },
    risk: {
      delayMinutes: () => Promise.resolve(terms.delayMinutes),
      lockCap: () => Promise.resolve(undefined),
      refusesThirdParties: () => Promise.resolve(false),
    },
    alerts: { raise, raiseOnce: raise, clear: () => Promise.resolve() },
    foreign: {
      known: () => Promise.resolve({ nonce: 0, block: undefined, signature: undefined, coinsUntil: undefined }),
      matches: () => Promise.resolve(new Map()),
    },
    arePayoutsPaused: false,
    payoutChains: { evm: chain.port },
    screen: undefined,
  }
  return given as unknown as HistoryDeps
}

/** A refund as its tenant sees it; the columns of `store/refunds.ts`. */
function refundsOf(memory: Memory, { reservePercent }: Terms) {
  const [charges, ledger, payouts] = [chargesIn(memory), ledgerIn(memory), payoutsIn(memory)]
  const store: Pick<RefundsStore, 'readRefundable' | 'order' | 'reservePercent'> = {
    reservePercent: () => Promise.resolve(reservePercent),
    readRefundable: async (em, payment) => {
      const accepted = await charges.acceptedOf(em, payment)
      if (!accepted) return undefined
      const record = await charges.load(em, { tenantId: payment.tenantId, id: accepted.chargeId })
      return { record, payouts: await payouts.lockAll(em, payment) }
    },
    // Its payouts are those of the table.
    order: async (em, { refund, booking }) => {
      charges.addRefund(em, refund)
      await ledger.bookAll(em, [booking])
    },
  }
  return {
    ...store,
    find: (tenantId: string, id: string) => {
      const refund = memory.tables.refunds.find(({ refundId }) => refundId === id)
      return Promise.resolve(refund && { ...refund, tenantId, id, currency: 'BRL', updatedAt: refund.createdAt })
    },
  }
}
