import type { Asset } from '../chain.js'
import { readAccounts, type AccountState } from './account-states.js'
import type { SolanaClient } from './client.js'
import { TOKEN_PROGRAMS } from './token.js'

/** What is wrong about a receiver whose money nobody could spend, behind its name. */
export const UNSPENDABLE = 'is a token account or a program, not a wallet'

/** The size of an account that several signers own tokens by (spl-token: state::Multisig::LEN). */
const MULTISIG_BYTES = 355

/**
 * Whether nobody could spend what is paid to an address as to a wallet: no key signs for an account of a token program, nor for a
 * program. For several signers' account the token programs do, of tokens alone.
 */
export function isUnspendable({ owner, data, isProgram }: AccountState, asset: Asset): boolean {
  if (isProgram) return true
  const isMultisig = asset.kind === 'token' && data.length === MULTISIG_BYTES
  return TOKEN_PROGRAMS.has(owner) && !isMultisig
}

/**
 * Those of some wallets that are none, so that nobody could spend what they are paid. What is not there may become a wallet.
 * @param wallets base58
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function unspendableWallets(
  client: SolanaClient,
  asset: Asset,
  wallets: readonly string[],
): Promise<Set<string>> {
  const distinct = [...new Set(wallets)]
  const accounts = await readAccounts(client, distinct)
  return new Set(
    distinct.filter((_, index) => {
      const account = accounts[index]
      return account !== undefined && isUnspendable(account, asset)
    }),
  )
}
