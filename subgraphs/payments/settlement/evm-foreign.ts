import { isHex, type Address } from 'viem'
import type { EvmChain } from '../../../chains/chain.js'
import { askInParts } from '../../../chains/evm/batch.js'
import type { EvmClient } from '../../../chains/evm/client.js'
import { blockBefore } from '../../../chains/evm/find-spent.js'
import { readNextNonces } from '../../../chains/evm/free-nonce.js'
import { readBlockTimes, readSpent, type SeenTransfer } from '../../../chains/evm/read-deposits.js'
import { ask } from '../../../chains/evm/rpc.js'
import { readSettledCount } from '../../../chains/evm/settled-count.js'
import { AppError } from '../../../kernel/errors.js'
import { fromBaseUnits } from '../../../kernel/money.js'
import type { ForeignTransactions, ForeignTransfer, KnownTransactions } from './payout-chain.js'

/** Many nodes give no more logs at once. */
const LOG_BLOCKS = 1_000n

/**
 * What an account has sent with nonces that the database does not know: its transfers of the chain's tokens since the newest
 * block that is known. Coins leave no log: where there are more nonces than transactions with transfers, some may have been sent.
 * A month of blocks is many calls, and one of them may fail: what was read is kept range by range. Who goes on behind that explains
 * fewer nonces than there were, so that payouts in coins may be held without need.
 * @returns `waiting` while not all has the chain's confirmations, or a node counts what there is not: what is called known here has
 *   the treasury sign behind it
 * @throws AppError confirm_rpc_unavailable
 */
export async function readForeignEvm(
  client: EvmClient,
  chain: EvmChain,
  account: Address,
  known: KnownTransactions,
): Promise<ForeignTransactions | 'none' | 'waiting'> {
  const counted = await readNextNonces(client, account)
  if (counted <= known.nonce) return 'none'
  const { count: nonce, block: newest } = await readSettledCount(client, chain, account)
  if (nonce < counted) return 'waiting'
  const countAt = (blockNumber: bigint): Promise<number> =>
    ask('confirm', () => client.getTransactionCount({ address: account, blockNumber }))
  const from = known.block === undefined ? await blockBefore(client, newest, await known.since()) : BigInt(known.block)
  // What was sent before there were payments explains none.
  const before = known.block === undefined ? await countAt(from).catch(() => 0) : 0
  const explained = new Set<string>()
  const read = async (range: { from: bigint; to: bigint }): Promise<ForeignTransfer[]> => {
    const transfers = await readRange(client, chain, account, range, known)
    for (const { hash } of transfers) explained.add(hash)
    return transfers
  }
  let start = from
  for (; start + LOG_BLOCKS <= newest; start += LOG_BLOCKS) {
    const to = start + LOG_BLOCKS - 1n
    await known.keep(await read({ from: start, to }), Number(to))
  }
  const transfers = await read({ from: start, to: newest })
  const first = Math.max(known.nonce, before)
  const mayHaveSentCoins =
    explained.size < nonce - first || (await countNonces(client, [...explained], first)) < nonce - first
  return { transfers, mayHaveSentCoins, nonce, block: Number(newest), signature: undefined }
}

/**
 * How many nonces from the first one on these transactions have. One may have a nonce below it: of a transaction that is written down,
 * whose later version, of higher fees, was not. What no node shows has none.
 */
async function countNonces(client: EvmClient, hashes: readonly string[], first: number): Promise<number> {
  const calls = hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] }))
  const answers = (await askInParts(client, calls)).flatMap((part) => part.answers)
  const nonces = answers.map((answer) => {
    const { nonce } = (('result' in answer && answer.result) || {}) as { nonce?: unknown }
    return isHex(nonce) ? Number(nonce) : -1
  })
  return new Set(nonces.filter((nonce) => nonce >= first)).size
}

/** What the account has sent in some blocks, of all the chain's tokens, that is not written down. */
async function readRange(
  client: EvmClient,
  chain: EvmChain,
  account: Address,
  range: { from: bigint; to: bigint },
  known: KnownTransactions,
): Promise<ForeignTransfer[]> {
  const seen: (SeenTransfer & Token)[] = []
  for (const [currency, { address, decimals }] of Object.entries(chain.tokens)) {
    for (const one of await readAll(client, { token: address, from: account }, range)) {
      if (one.to !== account.toLowerCase() && one.amount > 0n) seen.push({ ...one, currency, decimals })
    }
  }
  const ours = await known.ours([...new Set(seen.map(({ hash }) => hash))])
  return timed(
    client,
    seen.filter(({ hash }) => !ours.has(hash)),
  )
}

interface Token {
  currency: string
  decimals: number
}

/** A node may give the logs of fewer blocks at once than it was asked for. */
async function readAll(
  client: EvmClient,
  of: { token: Address; from: Address },
  { from, to }: { from: bigint; to: bigint },
): Promise<SeenTransfer[]> {
  const all: SeenTransfer[] = []
  for (let start = from; start <= to;) {
    const read = await readSpent(client, of, { from: start, to, confirmations: 1 })
    if (!read) throw new AppError('confirm_rpc_unavailable', { details: 'the node is behind' })
    all.push(...read.transfers)
    start = read.upTo.block + 1n
  }
  return all
}

async function timed(client: EvmClient, seen: readonly (SeenTransfer & Token)[]): Promise<ForeignTransfer[]> {
  const times = await readBlockTimes(
    client,
    seen.map(({ blockNumber }) => blockNumber),
  )
  return seen.map(({ hash, logIndex, blockNumber, to, amount, currency, decimals }) => ({
    ...{ hash, logIndex, currency, other: to, blockNumber: Number(blockNumber) },
    amount: fromBaseUnits(amount, decimals),
    minedAt: times.get(blockNumber) ?? new Date(0),
  }))
}
