import { erc20Abi, parseTransaction, type Address, type Hex } from 'viem'
import { findToken, type EvmAsset, type EvmChain } from '../../../chains/chain.js'
import type { EvmClient } from '../../../chains/evm/client.js'
import { ask } from '../../../chains/evm/rpc.js'
import { AppError } from '../../../kernel/errors.js'
import { toBaseUnits } from '../../../kernel/money.js'
import type { Payout } from '../store/payout.entity.js'
import type { OpenBatch } from '../store/batches.js'

export const NATIVE = 'native'

/**
 * What the treasury holds: of each token that is wanted, and of the native coin. A node that does not have the newest
 * payouts yet would show what they have taken.
 * @throws AppError provider_unavailable
 */
export async function readBalances(
  client: EvmClient,
  chain: EvmChain,
  { account, newestBlock }: { account: Address; newestBlock: number },
  payouts: readonly Payout[],
): Promise<Map<string, bigint>> {
  const blockNumber = await ask('build', () => client.getBlockNumber())
  if (blockNumber < BigInt(newestBlock)) throw new AppError('provider_unavailable', { details: 'the node is behind' })
  const tokens = new Map(payouts.map((payout) => [payout.symbol, assetOf(chain, payout)]))
  const balances = await Promise.all([
    ask('build', () => client.getBalance({ address: account, blockNumber })).then(
      (balance) => [NATIVE, balance] as const,
    ),
    ...[...tokens.values()].flatMap((asset) =>
      asset.kind === 'native'
        ? []
        : [
            ask('build', () =>
              client.readContract({
                address: asset.address,
                abi: erc20Abi,
                functionName: 'balanceOf',
                args: [account],
                blockNumber,
              }),
            ).then((balance) => [asset.address as string, balance] as const),
          ],
    ),
  ])
  return new Map(balances)
}

/** Takes off what transactions that have not landed yet will take; of a batch with several versions once. */
export function reserve(chain: EvmChain, balances: Map<string, bigint>, open: readonly OpenBatch[]): void {
  for (const { pays, transaction } of open) {
    if (transaction.version > 0) continue
    const { gas = 0n, maxFeePerGas, gasPrice = 0n } = parseTransaction(transaction.raw as Hex)
    const take = (key: string, units: bigint): void => {
      const left = (balances.get(key) ?? 0n) - units
      balances.set(key, left > 0n ? left : 0n)
    }
    // What is not on the chain's list any more is paid to nobody, and need not be there for others.
    const asset = pays && findToken(chain, pays.symbol)
    if (pays && asset) take(keyOf(asset), toBaseUnits(pays.amount, asset.decimals))
    take(NATIVE, gas * (maxFeePerGas ?? gasPrice))
  }
}

/** What a payout moves on its chain. */
export function assetOf(chain: EvmChain, { symbol }: Pick<Payout, 'symbol'>): EvmAsset {
  const asset = findToken(chain, symbol)
  if (!asset) throw new Error(`${symbol} is not enabled on ${chain.name} any more`)
  return asset
}

/** Under which its amount is kept among the balances. */
export function keyOf(asset: EvmAsset): string {
  return asset.kind === 'native' ? NATIVE : asset.address
}
