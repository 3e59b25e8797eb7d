import { PublicKey } from '@solana/web3.js'
import type { SolanaClient } from './client.js'
import { ask } from './rpc.js'
import { associatedTokenAddress, decodeTokenAccount } from './token.js'

/** A node answers about so many accounts at once (getMultipleAccounts). */
const ACCOUNTS_MAX = 100

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
  const missing = new Set<string>()
  for (let start = 0; start < distinct.length; start += ACCOUNTS_MAX) {
    const asked = distinct.slice(start, start + ACCOUNTS_MAX)
    const keys = asked.map((wallet) => associatedTokenAddress(new PublicKey(wallet), new PublicKey(mint)))
    const accounts = await ask('build', () => client.connection.getMultipleAccountsInfo(keys, 'confirmed'))
    for (const [index, wallet] of asked.entries()) {
      const account = accounts[index]
      if (!account || !decodeTokenAccount(account.data)) missing.add(wallet)
    }
  }
  return missing
}
