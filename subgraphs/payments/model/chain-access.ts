import type { Chain, EvmChain, SolanaChain } from '../../../chains/chain.js'
import type { EvmClient } from '../../../chains/evm/client.js'
import type { SolanaClient } from '../../../chains/solana/client.js'

/** The chains that the deployment has enabled. */
export interface EnabledChains {
  settings: { chains: readonly Chain[] }
}

/** The enabled chains, and a client of each. */
export interface ChainAccess extends EnabledChains {
  evmClient: (chain: EvmChain) => EvmClient
  solanaClient: (chain: SolanaChain) => SolanaClient
}
