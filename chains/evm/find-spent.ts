import type { Address, Hex } from 'viem'
import { AppError } from '../../kernel/errors.js'
import type { EvmChain } from '../chain.js'
import { readFinality } from './canonical.js'
import type { EvmClient } from './client.js'
import { findMined } from './find-mined.js'
import { readSpent } from './read-deposits.js'
import { ask } from './rpc.js'

/** A transaction that was built for a wallet, as far as it says what the wallet would spend. */
export interface BuiltSpending {
  from: Address
  /**
   * The lowest that a wallet could take when it was built: the account's next one, or, where transactions of it were waiting, that of the
   * first of these, which a wallet may replace. A wallet may take a higher one too.
   */
  nonce: number
  /** Undefined for the chain's coin, which leaves no log. */
  token: Address | undefined
  builtAt: Date
}

/** Many nodes give no more logs at once. */
const LOG_BLOCKS = 1_000n
/** Ranges in one look; the next one goes on behind them. */
const RANGES_MAX = 20
/** Transactions of an account that are looked up by their nonces in one look; the next one goes on behind them. */
const NONCES_MAX = 16
/** Clocks differ, ours and those of who makes blocks. */
const CLOCKS_MS = 3_600_000

/**
 * What an account has sent since a transaction was built for it: while its count of transactions stands still, nothing, by
 * two calls. Otherwise its transfers of the token, by their logs, or each of its transactions, by its nonce, for a coin.
 * Only blocks with the chain's confirmations are read, and those that are not final are read again.
 * @param place where an earlier look ended, of its answer
 * @throws AppError `confirm_rpc_unavailable`, also where nodes do not show what was sent
 */
export async function findSpent(
  client: EvmClient,
  chain: Pick<EvmChain, 'confirmations' | 'finalityBlocks'>,
  built: BuiltSpending,
  place: string | undefined,
): Promise<{ hashes: Hex[]; place: string | undefined }> {
  const { head, final } = await readFinality(client, chain, [])
  const safe = head - BigInt(chain.confirmations) + 1n
  const seen = placeOf(place)
  // A node that is behind shows nothing new.
  if (safe < 0n || (seen && safe <= seen.block)) return { hashes: [], place }
  const countAt = (blockNumber: bigint): Promise<number> =>
    ask('confirm', () => client.getTransactionCount({ address: built.from, blockNumber }))
  const known = seen?.nonce ?? built.nonce
  const count = await countAt(safe)
  const next = async (upTo: bigint, nonce?: number): Promise<string | undefined> => {
    const block = upTo < final ? upTo : final
    if (block < 0n || (seen && block <= seen.block)) return place
    return `${block}:${nonce ?? (await countAt(block))}`
  }
  if (count <= known) return { hashes: [], place: await next(safe, known) }
  if (built.token === undefined) {
    const to = Math.min(count, known + NONCES_MAX)
    const hashes = await findByNonces(client, built.from, { from: known, to })
    if (to === count) return { hashes, place: await next(safe) }
    // The rest is left to the next look. No block is read to its end yet, and another transaction may still take a nonce that is not final.
    const read = final < 0n ? known : Math.max(known, Math.min(to, await countAt(final)))
    return { hashes, place: `${seen?.block ?? 0n}:${read}` }
  }
  const start = seen ? seen.block + 1n : await blockBefore(client, head, new Date(built.builtAt.getTime() - CLOCKS_MS))
  const ranges = { from: start, to: safe, confirmations: chain.confirmations }
  const { hashes, upTo } = await findByLogs(client, { token: built.token, from: built.from }, ranges)
  return { hashes, place: await next(upTo) }
}

function placeOf(place: string | undefined): { block: bigint; nonce: number } | undefined {
  const [block, nonce] = place?.split(':') ?? []
  return block === undefined ? undefined : { block: BigInt(block), nonce: Number(nonce) }
}

async function findByNonces(client: EvmClient, from: Address, nonces: { from: number; to: number }): Promise<Hex[]> {
  const hashes: Hex[] = []
  for (let nonce = nonces.from; nonce < nonces.to; nonce += 1) {
    const { transaction } = await findMined(client, { from, nonce })
    if (!transaction) throw unavailable('the nodes do not show a transaction of the account')
    hashes.push(transaction.hash)
  }
  return hashes
}

async function findByLogs(
  client: EvmClient,
  of: { token: Address; from: Address },
  { from, to, confirmations }: { from: bigint; to: bigint; confirmations: number },
): Promise<{ hashes: Hex[]; upTo: bigint }> {
  const hashes = new Set<Hex>()
  let start = from
  for (let ranges = 0; ranges < RANGES_MAX && start <= to; ranges += 1) {
    const end = start + LOG_BLOCKS - 1n < to ? start + LOG_BLOCKS - 1n : to
    const read = await readSpent(client, { tokens: [of.token], from: of.from }, { from: start, to: end, confirmations })
    if (!read) throw unavailable('the node is behind')
    for (const { hash } of read.transfers) hashes.add(hash)
    start = read.upTo.block + 1n
  }
  return { hashes: [...hashes], upTo: start - 1n }
}

/**
 * A block that was made before a time, and not many blocks before it; 0 where there is none.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function blockBefore(client: EvmClient, head: bigint, time: Date): Promise<bigint> {
  const isAfter = async (blockNumber: bigint): Promise<boolean> => {
    const { timestamp } = await ask('confirm', () => client.getBlock({ blockNumber }))
    return Number(timestamp) * 1_000 >= time.getTime()
  }
  let after = head
  let before = head
  for (let step = 1n; await isAfter(before); step *= 2n) {
    if (before === 0n) return 0n
    after = before
    before = before > step ? before - step : 0n
  }
  while (after - before > LOG_BLOCKS) {
    const middle = (after + before) / 2n
    if (await isAfter(middle)) after = middle
    else before = middle
  }
  return before
}

function unavailable(details: string): AppError {
  return new AppError('confirm_rpc_unavailable', { details })
}
