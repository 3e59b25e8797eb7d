import { isHex, type Address, type Hex } from 'viem'
import type { EvmChain } from '../../../chains/chain.js'
import { askInParts } from '../../../chains/evm/batch.js'
import { carriedReferences } from '../../../chains/evm/carried-references.js'
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
  const explained = new Set<number>()
  const read = async (range: { from: bigint; to: bigint }): Promise<ForeignTransfer[]> => {
    const { transfers, nonces } = await readRange(client, chain, account, range, known)
    for (const one of nonces) explained.add(one)
    return transfers
  }
  let start = from
  for (; start + LOG_BLOCKS <= newest; start += LOG_BLOCKS) {
    const to = start + LOG_BLOCKS - 1n
    await known.keep(await read({ from: start, to }), Number(to))
  }
  const transfers = await read({ from: start, to: newest })
  const first = Math.max(known.nonce, before)
  // One may be below the first: of a transaction that is written down, whose later version, of higher fees, was not.
  const count = [...explained].filter((one) => one >= first).length
  return { transfers, mayHaveSentCoins: count < nonce - first, nonce, block: Number(newest), signature: undefined }
}

/** A transaction as nodes show it. */
interface ShownTransaction {
  nonce?: unknown
  to?: unknown
  input?: unknown
}

/**
 * What nodes show of some transactions. One that none shows has no nonce and carries nothing: nodes forget where old ones are, and
 * payouts are not to wait for that.
 * @throws AppError confirm_rpc_unavailable
 */
async function readTransactions(client: EvmClient, hashes: readonly string[]): Promise<Map<string, ShownTransaction>> {
  const calls = hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] }))
  const answers = (await askInParts(client, calls)).flatMap((part) => part.answers)
  const shown = new Map<string, ShownTransaction>()
  for (const [place, hash] of hashes.entries()) {
    const answer = answers[place]
    const told = answer && 'result' in answer ? (answer.result as ShownTransaction | null) : null
    shown.set(hash, told ?? (await readAlone(client, hash as Hex)) ?? {})
  }
  return shown
}

/** The same of one that the first node does not show. What was written down without its references is never read again, so others are asked. */
async function readAlone(client: EvmClient, hash: Hex): Promise<ShownTransaction | null> {
  return ask('confirm', () => client.request({ method: 'eth_getTransactionByHash', params: [hash] }))
}

interface ReadRange {
  transfers: ForeignTransfer[]
  /** Those of the transactions that have made them, as far as a node shows these. */
  nonces: number[]
}

/** What the account has sent in some blocks, of all the chain's tokens, that is not written down. */
async function readRange(
  client: EvmClient,
  chain: EvmChain,
  account: Address,
  range: { from: bigint; to: bigint },
  known: KnownTransactions,
): Promise<ReadRange> {
  const seen: (SeenTransfer & Token)[] = []
  for (const [currency, { address, decimals }] of Object.entries(chain.tokens)) {
    for (const one of await readAll(client, { token: address, from: account }, range)) {
      if (one.to !== account.toLowerCase() && one.amount > 0n) seen.push({ ...one, currency, decimals })
    }
  }
  const ours = await known.ours([...new Set(seen.map(({ hash }) => hash))])
  const foreign = seen.filter(({ hash }) => !ours.has(hash))
  const shown = await readTransactions(client, [...new Set(foreign.map(({ hash }) => hash))])
  const nonces = [...shown.values()].flatMap(({ nonce }) => (isHex(nonce) ? [Number(nonce)] : []))
  const times = await readBlockTimes(
    client,
    foreign.map(({ blockNumber }) => blockNumber),
  )
  const transfers = foreign.map((one) => ({
    ...{ hash: one.hash, logIndex: one.logIndex, currency: one.currency, other: one.to },
    ...{ blockNumber: Number(one.blockNumber), minedAt: times.get(one.blockNumber) ?? new Date(0) },
    amount: fromBaseUnits(one.amount, one.decimals),
    references: referencesOf(chain, shown.get(one.hash), one),
  }))
  return { transfers, nonces }
}

function referencesOf(chain: EvmChain, shown: ShownTransaction | undefined, transfer: SeenTransfer): string[] {
  const { to, input } = shown ?? {}
  return typeof to === 'string' && isHex(input) ? carriedReferences(chain, { to, input }, transfer) : []
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
    const read = await readSpent(client, { tokens: [of.token], from: of.from }, { from: start, to, confirmations: 1 })
    if (!read) throw unavailable('the node is behind')
    all.push(...read.transfers)
    start = read.upTo.block + 1n
  }
  return all
}

function unavailable(details: string): AppError {
  return new AppError('confirm_rpc_unavailable', { details })
}
