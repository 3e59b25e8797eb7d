import { isAddressEqual, type Address, type Transaction } from 'viem'
import type { EvmClient } from './client.js'
import { ask, rpcFailure } from './rpc.js'

/** How far back a node is searched for the transaction that took a nonce, in blocks. */
const SEARCH_BLOCKS_MAX = 1n << 20n

/** A place in an account's order of transactions. */
export interface NonceOf {
  from: Address
  nonce: number
}

/** Whether a transaction has that place. */
export function isBy({ from, nonce }: NonceOf, transaction: Transaction): boolean {
  return transaction.nonce === nonce && isAddressEqual(transaction.from, from)
}

/**
 * What nodes show of a nonce. `none`: the block in which the sender's count went past it has no such transaction, or no block has;
 * `pruned`: the counts of blocks that old are not kept, or lie too far back to be searched; `behind`: a node that could not tell now.
 */
export type Mined =
  { kind: 'found'; transaction: Transaction } | { kind: 'none' | 'pruned' | 'behind'; transaction?: undefined }

/** How nodes say that they do not keep the state of an old block: geth, Nethermind, Besu, Erigon and reth, hosted ones. */
const PRUNED = /missing trie node|no state available|state .*(not available|unavailable)|prun|historical|too old/i

/**
 * The block in which the sender's count went past the nonce, by halving; there, the transaction.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function findMined(client: EvmClient, place: NonceOf): Promise<Mined> {
  const latest = await ask('confirm', () => client.getBlockNumber())
  try {
    let after = latest
    let before = latest
    for (let step = 1n; await isUsedAt(client, place, before); step *= 2n) {
      if (before === 0n || step > SEARCH_BLOCKS_MAX) return { kind: 'pruned' }
      after = before
      before = before > step ? before - step : 0n
    }
    while (after - before > 1n) {
      const middle = (after + before) / 2n
      if (await isUsedAt(client, place, middle)) after = middle
      else before = middle
    }
    const { transactions } = await client.getBlock({ blockNumber: after, includeTransactions: true })
    const transaction = transactions.find((one) => isBy(place, one))
    return transaction ? { kind: 'found', transaction } : { kind: 'none' }
  } catch (error) {
    const failure = rpcFailure(error)
    if (!failure) throw error
    return { kind: failure.kind === 'refused' && PRUNED.test(failure.reason) ? 'pruned' : 'behind' }
  }
}

async function isUsedAt(client: EvmClient, { from, nonce }: NonceOf, blockNumber: bigint): Promise<boolean> {
  return (await client.getTransactionCount({ address: from, blockNumber })) > nonce
}
