import type { Address } from 'viem'
import type { Signer } from '../../../chains/evm/signer.js'
import type { SolanaSigner } from '../../../chains/solana/signer.js'
import type { ChainAccess } from '../model/chain-access.js'
import { evmPayouts } from './evm-payouts.js'
import { solanaPayouts } from './solana-payouts.js'
import type { PayoutChains } from './treasury-accounts.js'

/** Makes the treasury's accounts of those who sign for them. */
export function treasuryAccounts(
  signers: { evm: readonly Signer[]; solana: readonly SolanaSigner[] },
  { evmClient, solanaClient }: Pick<ChainAccess, 'evmClient' | 'solanaClient'>,
): PayoutChains {
  const attempted = new Set<string>()
  return {
    payoutChains: {
      evm: signers.evm.map((signer) => evmPayouts({ signer, attempted, evmClient })),
      solana: signers.solana.map((signer) => solanaPayouts({ signer, solanaClient })),
    },
    watchedAccount: (family, account) => {
      const refuse = (): Promise<never> => Promise.reject(new Error(`nobody signs for ${account}`))
      if (family === 'solana')
        return solanaPayouts({ signer: { address: account, sign: refuse }, isWatched: true, solanaClient })
      const signer = { address: account as Address, signTransaction: refuse }
      return evmPayouts({ signer, isWatched: true, evmClient })
    },
  }
}
