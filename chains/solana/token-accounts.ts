import { PublicKey } from '@solana/web3.js'
import { readAccounts } from './account-states.js'
import type { SolanaClient } from './client.js'
import { associatedTokenAddress, decodeTokenAccount } from './token.js'

/**
 * Which wallets have no token account for a mint yet, so that the payer has to open it.
 * @param mint base58, as the wallets are
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function walletsWithoutAccount(
  client: SolanaClient,
  mint: string,
  wallets: readonly string[],
): Promise<Set<string>> {
  const distinct = [...new Set(wallets)]
  const key = new PublicKey(mint)
  const holdings = distinct.map((wallet) => associatedTokenAddress(new PublicKey(wallet), key).toBase58())
  const accounts = await readAccounts(client, holdings)
  return new Set(
    distinct.filter((_, index) => {
      const account = accounts[index]
      return !account || !decodeTokenAccount(account.data)
    }),
  )
}
