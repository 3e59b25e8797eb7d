import type { Chain } from '../../../chains/chain.js'
import type { EnabledChains } from '../model/chain-access.js'
import type { Runtime } from '../model/runtime.js'
import type { WalletScreening } from '../screening/screen-wallets.js'
import type { Stores } from '../store/stores.js'
import type { FinishBatchDeps } from './finish-batch.js'
import type { PayoutChain } from './payout-chain.js'
import type { PayoutChains } from './treasury-accounts.js'

/** What looking after the treasury's transactions needs. */
export type TreasuryDeps = FinishBatchDeps & Pick<Runtime, 'log'> & Pick<Stores, 'landed'>

/** What settling a chain's payouts needs. */
export type SettleChainDeps = TreasuryDeps &
  EnabledChains &
  PayoutChains &
  WalletScreening &
  Pick<Runtime, 'delay' | 'isStopping' | 'newId'> &
  Pick<Stores, 'addJobNow' | 'foreign' | 'heldCoins' | 'interventions' | 'pool'> & {
    /** Whether the deployment pays nobody for now; what is on its way is followed to its end. */
    arePayoutsPaused: boolean
  }

/** One account of the treasury on one chain. */
export interface Treasury<Deps extends TreasuryDeps = SettleChainDeps> {
  deps: Deps
  chain: Chain
  port: PayoutChain
}

/** All accounts of the treasury that have something to be brought on on one chain. */
export interface ChainTreasuries {
  deps: SettleChainDeps
  chain: Chain
  treasuries: readonly Treasury[]
}

/** What a round came to. `idle`: nothing is open, and nothing waits that could be paid now. */
export type Round = 'progress' | 'waiting' | 'idle'
