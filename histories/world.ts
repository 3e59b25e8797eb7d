import type { AdjustableClock } from '../kernel/clock.js'
import { createLog } from '../kernel/log.js'
import type { Tenant } from '../kernel/tenant.js'
import type { SendRefundDeps } from '../subgraphs/payments/domain/refunds/send-refund.js'
import type { SyncFeesDeps } from '../subgraphs/payments/domain/reconciliation/sync-fees.js'
import type { AcceptUnderpaymentDeps } from '../subgraphs/payments/domain/deposits/accept-underpayment.js'
import type { ApplyDepositsDeps } from '../subgraphs/payments/domain/deposits/apply-deposits.js'
import type { GiveBackDeps } from '../subgraphs/payments/domain/deposits/give-back-underpayment.js'
import type { RefundPaymentDeps } from '../subgraphs/payments/domain/refunds/refund-payment.js'
import type { SettleSplitDeps } from '../subgraphs/payments/domain/transfers/settle-split.js'
import { isWorthSharing } from '../subgraphs/payments/rails/crypto/check-split-cost.js'
import type { ChargeRail } from '../subgraphs/payments/rails/rail.js'
import type { SettleChainDeps } from '../subgraphs/payments/settlement/treasury.js'
import { cardProvider, type CardProvider } from './card-provider.js'
import { CHAIN, modelChain, USDT, type ModelChain } from './chain.js'
import { depositChain, type DepositChain } from './deposits.js'
import type { Kept } from './kept.js'
import { mortal, type CrashPlan } from './mortal.js'
import { pixProvider, type PixProvider } from './pix-provider.js'

/** What the use cases of histories need. */
export type HistoryDeps = SendRefundDeps &
  SyncFeesDeps &
  RefundPaymentDeps &
  SettleChainDeps &
  ApplyDepositsDeps &
  SettleSplitDeps &
  AcceptUnderpaymentDeps &
  GiveBackDeps

/** Everything of one history: the tables, the world outside, and the use cases' dependencies over both. */
export interface World {
  clock: AdjustableClock
  kept: Kept
  pix: PixProvider
  card: CardProvider
  chain: ModelChain
  deposits: DepositChain
  /** The price of gas in the blocks to come, in wei. */
  gas: { price: bigint }
  rails: Record<'pix' | 'card', ChargeRail>
  tenant: Tenant
  /** The dependencies of a process; of one that dies, where a plan is given. */
  process: (plan?: CrashPlan) => HistoryDeps
  newId: () => string
}

const LASTING = [
  ...(['payments', 'charges', 'quotes', 'refunds', 'ledger', 'payouts', 'landed', 'fees', 'risk', 'payables'] as const),
  ...(['addJob', 'addJobNow', 'addresses', 'alerts', 'differences', 'settleStep'] as const),
] as const

const log = createLog('silent')

/** A world in which nothing has happened yet. */
export function openWorld(kept: Kept, clock: AdjustableClock): World {
  let ids = 0
  const newId = (): string => `c${String((ids += 1)).padStart(24, '0')}`
  const gas = { price: 30_000_000_001n }
  const [pix, card, chain] = [pixProvider(clock, newId), cardProvider(clock), modelChain(() => gas.price)]
  const rails = {
    pix: railOf('pix', pix.adapter, { pixcrypto: false }),
    card: railOf('card', card.adapter, { cardcrypto: false, cardfiat: true }),
  }
  const deposits = depositChain(clock)
  const deps = depsOf({ clock, kept, newId, chain, deposits, rails })
  return {
    ...{ clock, kept, pix, card, chain, deposits, gas, rails, newId },
    tenant: { id: 'tenant', products: ['crypto', 'pix', 'credit_card'], requestId: 'history' },
    process: (plan) => (plan ? dying(deps, plan) : deps),
  }
}

/** What the providers do and the chain takes are steps too, of the same process. */
function dying(deps: HistoryDeps, plan: CrashPlan): HistoryDeps {
  const [evm] = deps.payoutChains.evm ?? []
  const adapters = deps.rails.map((rail) => (rail.kind === 'charge' ? rail.adapter : undefined))
  const flat = { ...deps, evm, pixAdapter: adapters[0], cardAdapter: adapters[1] }
  const { pixAdapter, cardAdapter, ...mortals } = mortal(flat, [...LASTING, 'evm', 'pixAdapter', 'cardAdapter'], plan)
  const dyingAdapters = [pixAdapter, cardAdapter]
  const rails = deps.rails.map((rail, place) => ({ ...rail, adapter: dyingAdapters[place] }))
  return {
    ...mortals,
    rails: rails as HistoryDeps['rails'],
    payoutChains: { evm: mortals.evm ? [mortals.evm] : [] },
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

type Parts = Pick<World, 'clock' | 'kept' | 'newId' | 'chain' | 'deposits' | 'rails'>

/**
 * The stores under the names that the use cases know. The cast is the one place where less is given than the types say: what is
 * missing in memory is never called by what histories run, and would fail loudly.
 */
function depsOf({ clock, kept, newId, chain, deposits, rails }: Parts): HistoryDeps {
  const given = {
    ...kept.stores,
    ...{ clock, newId, log },
    isStopping: () => false,
    delay: () => Promise.resolve(),
    settings: { enabledFiats: ['BRL'], chains: [CHAIN], publicClientIdPrefix: undefined },
    rails: Object.values(rails),
    arePayoutsPaused: false,
    payoutChains: { evm: [chain.port] },
    screen: undefined,
    ...addressReads(deposits),
  }
  return given as unknown as HistoryDeps
}

/** Shares out by the rule of `chains/evm/distribute.ts`; a step is in a block as soon as it is made. */
function addressReads(deposits: DepositChain): Pick<HistoryDeps, 'isWorthSharing' | 'readDeposited' | 'settleStep'> {
  const isWorth: HistoryDeps['isWorthSharing'] = ({ splitPaymentConfig }, amount) => {
    const receivers = splitPaymentConfig.map(({ receiverWallet: wallet, receiverPercent }) => ({
      wallet,
      percent: String(receiverPercent),
    }))
    return isWorthSharing({ chain: CHAIN, asset: { ...USDT, kind: 'token' }, receivers }, 'USDT', amount)
  }
  return {
    isWorthSharing: isWorth,
    readDeposited: ({ address }) => Promise.resolve(deposits.cameTo(address)),
    settleStep: (payment, due = 0n) => {
      const [balance, arrived] = [deposits.balanceOf(payment.id), deposits.received(payment.id)]
      const completes = arrived < due && arrived + balance >= due
      if (balance === 0n || !(isWorth(payment, balance) || completes))
        return Promise.resolve(arrived >= due ? { kind: 'done', distributed: arrived } : { kind: 'waiting' })
      deposits.distribute(payment.id)
      return Promise.resolve({ kind: 'stepped' })
    },
  }
}
