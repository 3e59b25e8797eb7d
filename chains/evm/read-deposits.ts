import {
  encodeEventTopics,
  erc20Abi,
  hexToBigInt,
  isHex,
  numberToHex,
  pad,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { AppError } from '../../kernel/errors.js'
import type { RpcAnswer } from '../nodes/json-rpc.js'
import { askInParts, askTogether } from './batch.js'
import { readCanonical } from './canonical.js'
import type { EvmClient } from './client.js'

/** A token transfer to an address that is watched, in base units. Addresses and hashes are in lower case. */
export interface SeenTransfer {
  hash: Hex
  logIndex: number
  token: Address
  from: Address
  to: Address
  amount: bigint
  blockNumber: bigint
  blockHash: Hex
}

/** The blocks that were read, up to and with this one. */
export interface ReadUpTo {
  block: bigint
  blockHash: Hex
}

/** Blocks of one chain to be looked through. */
export interface BlockRange {
  from: bigint
  to: bigint
  /** How many blocks, its own included, make the last of them count. */
  confirmations: number
}

const TRANSFER = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer' })[0]

/** What is looked for: tokens that are sent to some addresses, all in lower case, at most as many as nodes take in a filter. */
interface DepositFilter {
  to: readonly Address[]
  tokens: readonly Address[]
}

/** The transfers of a range of blocks, which ends earlier than asked for where a node refuses to read as much at once. */
export interface ReadTransfers {
  upTo: ReadUpTo
  transfers: SeenTransfer[]
}

/**
 * Some tokens' transfers to some addresses in a range of blocks. One node answers for the head, the last block and the
 * logs at once: logs of a node that is behind would lack what is newer, and look complete.
 * @returns undefined where the node that answered does not have the range yet
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readDeposits(
  client: EvmClient,
  { to, tokens }: DepositFilter,
  range: BlockRange,
): Promise<ReadTransfers | undefined> {
  // No contract at all would be every contract. The zero address has none.
  const address = tokens.length > 0 ? tokens : [zeroAddress]
  return readTransfers(client, { address, topics: toTopics(to) }, range)
}

/**
 * The transfers of all other tokens to the same addresses. Whoever has a contract of his own writes as many of them as he
 * likes, so that a node may refuse them for ever: nothing may depend on this.
 * @returns `refused` where the node answers everything but these; undefined where it does not have the range yet
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readOtherDeposits(
  client: EvmClient,
  { to, tokens }: DepositFilter,
  range: BlockRange,
): Promise<SeenTransfer[] | 'refused' | undefined> {
  const read = await readOnce(client, { topics: toTopics(to) }, range)
  return read === 'refused' ? read : read?.transfers.filter(({ token }) => !tokens.includes(token))
}

/**
 * The same as `readDeposits` of what an account has sent of some tokens, of which there is one at least.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readSpent(
  client: EvmClient,
  { tokens, from }: { tokens: readonly Address[]; from: Address },
  range: BlockRange,
): Promise<ReadTransfers | undefined> {
  return readTransfers(client, { address: tokens, topics: [TRANSFER, pad(from)] }, range)
}

/** Nodes limit how many blocks they look through, and how many logs they answer: half as many blocks are asked for then. */
async function readTransfers(client: EvmClient, filter: object, range: BlockRange): Promise<ReadTransfers | undefined> {
  for (let { to } = range; ; to = range.from + (to - range.from) / 2n) {
    const read = await readOnce(client, filter, { ...range, to })
    if (read !== 'refused') return read
    if (to <= range.from) throw refused()
  }
}

async function readOnce(
  client: EvmClient,
  filter: object,
  range: BlockRange,
): Promise<ReadTransfers | 'refused' | undefined> {
  const [fromBlock, toBlock] = [numberToHex(range.from), numberToHex(range.to)]
  const [head, last, logs] = await askTogether(client, [
    { method: 'eth_blockNumber', params: [] },
    { method: 'eth_getBlockByNumber', params: [toBlock, false] },
    { method: 'eth_getLogs', params: [{ fromBlock, toBlock, ...filter }] },
  ])
  const { hash } = (resultOf(last) ?? {}) as { hash?: unknown }
  const newest = hexToBigInt(resultOf(head) as Hex)
  if (!isHex(hash) || newest - range.to + 1n < BigInt(range.confirmations)) return undefined
  // It has answered the rest: it is neither away nor asked too often.
  if (logs && 'error' in logs) return 'refused'
  const transfers = (resultOf(logs) as readonly RawLog[]).flatMap(transferOf)
  return { upTo: { block: range.to, blockHash: hash }, transfers }
}

/**
 * When blocks were made, by their numbers.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readBlockTimes(client: EvmClient, blocks: readonly bigint[]): Promise<Map<bigint, Date>> {
  const wanted = [...new Set(blocks)]
  const times = new Map<bigint, Date>()
  const calls = wanted.map((block) => ({ method: 'eth_getBlockByNumber', params: [numberToHex(block), false] }))
  const answers = (await askInParts(client, calls)).flatMap((part) => part.answers)
  for (const [place, block] of wanted.entries()) {
    const { timestamp } = (resultOf(answers[place]) ?? {}) as { timestamp?: unknown }
    if (!isHex(timestamp)) throw unavailable('a block without a time')
    times.set(block, new Date(Number(timestamp) * 1000))
  }
  return times
}

/**
 * The newest block that counts, and whether the chain still has the block up to which it was read.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readSafeHead(
  client: EvmClient,
  confirmations: number,
  last: ReadUpTo | undefined,
): Promise<{ safe: bigint; isSameBranch: boolean }> {
  const { head, hashAt } = await readCanonical(client, last ? [last.block] : [])
  const now = last && hashAt(last.block)
  // A node that is behind has no block there, which says nothing.
  const isSameBranch = now === undefined || now.toLowerCase() === last?.blockHash.toLowerCase()
  return { safe: head - BigInt(confirmations) + 1n, isSameBranch }
}

/**
 * A block that counts, of a node that has as many blocks on it.
 * @returns undefined where the node that answered does not have them yet
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readSafeBlock(
  client: EvmClient,
  block: bigint,
  confirmations: number,
): Promise<ReadUpTo | undefined> {
  const { head, hashAt } = await readCanonical(client, [block])
  const blockHash = hashAt(block)
  return blockHash && head - block + 1n >= BigInt(confirmations) ? { block, blockHash } : undefined
}

interface RawLog {
  address: Address
  topics: readonly Hex[]
  data: Hex
  transactionHash: Hex
  logIndex: Hex
  blockNumber: Hex
  blockHash: Hex
}

/** Of a token that counts pieces, such as ERC-721, the third argument is a topic too: it is no amount. */
function transferOf(log: RawLog): SeenTransfer[] {
  const [, from, to] = log.topics
  if (log.topics.length !== 3 || !from || !to || !/^0x[0-9a-f]{64}$/i.test(log.data)) return []
  return [
    {
      hash: lower(log.transactionHash),
      logIndex: Number(log.logIndex),
      token: lower(log.address),
      from: addressIn(from),
      to: addressIn(to),
      amount: hexToBigInt(log.data),
      blockNumber: hexToBigInt(log.blockNumber),
      blockHash: log.blockHash,
    },
  ]
}

function toTopics(to: readonly Address[]): unknown[] {
  return [TRANSFER, null, to.map((address) => pad(address))]
}

function addressIn(topic: Hex): Address {
  return lower(`0x${topic.slice(26)}`)
}

function lower<Text extends Hex>(text: Text): Text {
  return text.toLowerCase() as Text
}

function resultOf(answer: RpcAnswer | undefined): unknown {
  if (answer && 'result' in answer) return answer.result
  throw answer && 'error' in answer ? refused() : unavailable('no answer')
}

function refused(): AppError {
  return unavailable('the node refused')
}

function unavailable(details: string): AppError {
  return new AppError('confirm_rpc_unavailable', { details })
}
