import { PublicKey } from '@solana/web3.js'
import type { Asset } from '../chain.js'
import { payerLacks } from '../payer-lacks.js'
import { readAccounts } from './account-states.js'
import type { SolanaClient } from './client.js'
import { associatedTokenAddress, decodeTokenAccount } from './token.js'

/**
 * Checks that a wallet holds an amount, in base units, so that who has too little is told so rather than that something would fail.
 * @param of.symbol the asset's, for the message
 * @throws AppError `validation_error` on `payerWallet`; `provider_unavailable`, `provider_timeout`
 */
export async function assertHolds(
  client: SolanaClient,
  { payer, asset, amount, symbol }: { payer: string; asset: Asset; amount: bigint; symbol: string },
): Promise<void> {
  const address =
    asset.kind === 'native'
      ? payer
      : associatedTokenAddress(new PublicKey(payer), new PublicKey(asset.address)).toBase58()
  const [account] = await readAccounts(client, [address])
  const held = asset.kind === 'native' ? account?.lamports : account && decodeTokenAccount(account.data)?.amount
  if ((held ?? 0n) < amount) throw payerLacks(`${symbol} balance`)
}
