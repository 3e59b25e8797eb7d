import type { Chain, EvmChain, SolanaChain } from '../../../chains/chain.js'
import type { EvmClient } from '../../../chains/evm/client.js'
import type { MinedTransaction } from '../../../chains/evm/watch-receipts.js'
import type { SolanaClient } from '../../../chains/solana/client.js'
import type { LandedTransaction } from '../../../chains/solana/watch-statuses.js'
import type { ChainWatch } from '../../../chains/watch.js'

/** The chains that the deployment has enabled. */
export interface EnabledChains {
  settings: { chains: readonly Chain[] }
}

/** The enabled chains, and a client of each. */
export interface ChainAccess extends EnabledChains {
  evmClient: (chain: EvmChain) => EvmClient
  solanaClient: (chain: SolanaChain) => SolanaClient
}

/** One watch of each enabled chain, over all transactions that this process waits for there. */
export interface ChainWatches {
  evmWatch: (chain: EvmChain) => ChainWatch<MinedTransaction>
  solanaWatch: (chain: SolanaChain) => ChainWatch<LandedTransaction>
}
