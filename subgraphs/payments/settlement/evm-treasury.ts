import type { EvmChain } from '../../../chains/chain.js'
import type { EvmClient } from '../../../chains/evm/client.js'
import type { Signer } from '../../../chains/evm/signer.js'
import type { EvmCall } from '../../../chains/evm/transfer-call.js'
import type { Payout } from '../store/payout.entity.js'

/** The treasury on one EVM chain. */
export interface EvmTreasury {
  client: EvmClient
  signer: Signer
  chain: EvmChain
  /** What this process has sent to prepare accounts for batches: once is enough, whatever came of it. */
  attempted: Set<string>
}

/** A transaction that is to be signed, and its gas. */
export interface Draft {
  payouts: readonly Payout[]
  call: EvmCall
  gas: bigint
}
