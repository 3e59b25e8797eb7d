import { parseAbi, type Address } from 'viem'
import { evmAddress, type EvmChain } from '../../../chains/chain.js'
import { ask } from '../../../chains/evm/rpc.js'
import { AppError } from '../../../kernel/errors.js'
import { beginCall } from '../../../kernel/provider-health/provider-calls.js'
import { withConcurrency } from '../../../kernel/with-concurrency.js'
import type { ChainAccess } from '../model/chain-access.js'
import type { WalletScreen } from './screen-wallets.js'

/** The function of Chainalysis' sanctions oracle, which other oracles have too. */
const ORACLE_ABI = parseAbi(['function isSanctioned(address addr) view returns (bool)'])
const CALLS_AT_ONCE = 10

/**
 * Screens wallets by a contract on their chain; chains without one are left out, as Solana is.
 * @param oracles the contracts' addresses by the chains' names
 */
export function oracleScreen(
  { evmClient }: Pick<ChainAccess, 'evmClient'>,
  oracles: Readonly<Record<string, string>>,
): WalletScreen {
  const isSanctioned = async (chain: EvmChain, oracle: Address, wallet: string): Promise<boolean> => {
    const end = beginCall({ provider: 'screening', chain: chain.name, host: '' })
    try {
      const isListed = await ask('build', () => {
        const args = [evmAddress(wallet)] as const
        return evmClient(chain).readContract({ address: oracle, abi: ORACLE_ABI, functionName: 'isSanctioned', args })
      })
      end()
      return isListed
    } catch (error) {
      // Behind the node's own failures there is the contract, which answers nothing or something else.
      end(error instanceof AppError ? 'unavailable' : 'protocol')
      if (error instanceof AppError) throw error
      // No contract there, or one that answers something else: that says nothing of the wallet.
      throw new AppError('provider_unavailable', { details: `the sanctions oracle on ${chain.name} does not answer` })
    }
  }
  return {
    findRefused: async (chain, wallets) => {
      const oracle = oracles[chain.name]
      if (chain.family !== 'evm' || oracle === undefined) return new Set()
      const distinct = [...new Set(wallets)]
      const answers = await withConcurrency(distinct, CALLS_AT_ONCE, (wallet) =>
        isSanctioned(chain, oracle as Address, wallet),
      )
      return new Set(distinct.filter((_, index) => answers[index]))
    },
  }
}
