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
 * The block in which the sender's count went past the nonce, by halving; there, the transaction.
 * @returns no transaction where that block shows none, of which `isTold` says whether there is such a block: nodes that do not
 *   keep the counts of blocks that old do not tell
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function findMined(
  client: EvmClient,
  place: NonceOf,
): Promise<{ transaction?: Transaction | undefined; isTold: boolean }> {
  const latest = await ask('confirm', () => client.getBlockNumber())
  try {
    let after = latest
    let before = latest
    for (let step = 1n; await isUsedAt(client, place, before); step *= 2n) {
      if (before === 0n || step > SEARCH_BLOCKS_MAX) return { isTold: false }
      after = before
      before = before > step ? before - step : 0n
    }
    while (after - before > 1n) {
      const middle = (after + before) / 2n
      if (await isUsedAt(client, place, middle)) after = middle
      else before = middle
    }
    const { transactions } = await client.getBlock({ blockNumber: after, includeTransactions: true })
    return { transaction: transactions.find((transaction) => isBy(place, transaction)), isTold: true }
  } catch (error) {
    if (!rpcFailure(error)) throw error
    return { isTold: false }
  }
}

async function isUsedAt(client: EvmClient, { from, nonce }: NonceOf, blockNumber: bigint): Promise<boolean> {
  return (await client.getTransactionCount({ address: from, blockNumber })) > nonce
}
