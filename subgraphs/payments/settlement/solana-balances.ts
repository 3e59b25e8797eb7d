import { PublicKey } from '@solana/web3.js'
import { findToken, type Asset, type SolanaChain } from '../../../chains/chain.js'
import type { SolanaClient } from '../../../chains/solana/client.js'
import { ask } from '../../../chains/solana/rpc.js'
import { associatedTokenAddress } from '../../../chains/solana/token.js'
import { fromBaseUnits } from '../../../kernel/money.js'

export const NATIVE = 'native'

/** A Solana chain and the way to it. */
export interface ChainContext {
  client: SolanaClient
  chain: SolanaChain
}

/** What a payout moves on its chain. */
export function assetOf(chain: SolanaChain, symbol: string): Asset {
  const asset = findToken(chain, symbol)
  if (!asset) throw new Error(`${symbol} is not enabled on ${chain.name} any more`)
  return asset
}

/**
 * What the treasury holds, in base units: of each token that is wanted, and of the native coin.
 * @param minContextSlot the slot that the node must have seen
 */
export async function readBalances(
  { client, chain }: ChainContext,
  account: string,
  symbols: ReadonlySet<string>,
  minContextSlot = 0,
): Promise<Map<string, bigint>> {
  const owner = new PublicKey(account)
  const config = { commitment: 'confirmed', minContextSlot } as const
  const { value: lamports } = (await ask('build', () => client.call('getBalance', [account, config]))) as {
    value: number
  }
  const balances = new Map([[NATIVE, BigInt(lamports)]])
  for (const symbol of symbols) {
    const asset = assetOf(chain, symbol)
    if (asset.kind === 'native') continue
    const holder = associatedTokenAddress(owner, new PublicKey(asset.address)).toBase58()
    const accounts = await ask('build', () =>
      client.connection.getMultipleParsedAccounts([new PublicKey(holder)], config),
    )
    balances.set(symbol, tokenAmount(accounts.value[0]?.data))
  }
  return balances
}

/** What the treasury holds of every token of the chain and of its coin: decimal strings by currency. */
export async function readHoldings(context: ChainContext, account: string): Promise<ReadonlyMap<string, string>> {
  const { tokens, nativeCoin } = context.chain
  const units = await readBalances(context, account, new Set(Object.keys(tokens)))
  return new Map([
    [nativeCoin.symbol, fromBaseUnits(units.get(NATIVE) ?? 0n, nativeCoin.decimals)],
    ...Object.entries(tokens).map(
      ([symbol, { decimals }]) => [symbol, fromBaseUnits(units.get(symbol) ?? 0n, decimals)] as const,
    ),
  ])
}

/** The amount in a parsed token account; nothing where there is none. */
export function tokenAmount(data: unknown): bigint {
  const { parsed } = (data ?? {}) as { parsed?: { info?: { tokenAmount?: { amount?: unknown } } } }
  const amount = parsed?.info?.tokenAmount?.amount
  return typeof amount === 'string' && /^\d+$/.test(amount) ? BigInt(amount) : 0n
}
