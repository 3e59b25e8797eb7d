import { checkEvmChain } from '../../../chains/evm/check-chain.js'
import { checkSolanaChain } from '../../../chains/solana/check-chain.js'
import { AppError } from '../../../kernel/errors.js'
import type { ChainAccess } from '../model/chain-access.js'
import type { Runtime } from '../model/runtime.js'
import type { Stores } from '../store/stores.js'

/** What comparing the settings with the chains needs. */
export type CheckChainsDeps = ChainAccess & Pick<Runtime, 'log'> & Pick<Stores, 'alerts'>

/**
 * Compares each chain's settings with the chain, at start and each hour: a wrong address or wrong decimals would pay receivers
 * something else than what was agreed. An operator is told; a chain that cannot be asked is compared another time.
 */
export async function checkChains({ settings, evmClient, solanaClient, alerts, log }: CheckChainsDeps): Promise<void> {
  for (const chain of settings.chains) {
    try {
      const problems =
        chain.family === 'evm'
          ? await checkEvmChain(evmClient(chain), chain)
          : await checkSolanaChain(solanaClient(chain), chain)
      if (problems.length === 0) await alerts.clear('chain_mismatch', chain.name)
      else await alerts.raise({ kind: 'chain_mismatch', subject: chain.name, details: problems.join('; ') })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      log.warn({ chain: chain.name, details: error.details }, 'a chain could not be compared with its settings')
    }
  }
}
