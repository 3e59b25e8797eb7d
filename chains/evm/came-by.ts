import {
  encodeFunctionData,
  erc20Abi,
  hexToBigInt,
  isHex,
  numberToHex,
  type Address,
  type EncodeFunctionDataParameters,
  type Hex,
} from 'viem'
import { AppError } from '../../kernel/errors.js'
import type { RpcAnswer, RpcCall } from '../nodes/json-rpc.js'
import { askInParts, askTogether } from './batch.js'
import type { EvmClient } from './client.js'
import { forwarderAbi, pullForwarderAbi } from './forwarder.js'
import type { ReadUpTo } from './read-deposits.js'

/** The address of a split, and a token that it may have got. */
export interface SplitPlace {
  address: Address
  /** As `SplitVersion`. */
  splitVersion: number
  token: Address
}

/**
 * What had come to splits' addresses in all by a block, in base units and in their order: what lies there, and what was shared out. It is
 * undefined where the node refuses to say, as it may not have the state of the block any more.
 * @throws AppError `confirm_rpc_unavailable`, also where the node that answers does not have the block on its chain
 */
export async function readCameBy(
  client: EvmClient,
  places: readonly SplitPlace[],
  { block, blockHash }: ReadUpTo,
): Promise<(bigint | undefined)[]> {
  const at = numberToHex(block)
  const asked = places.map((place) => questionsOf(place).map((call) => ({ method: 'eth_call', params: [call, at] })))
  const shownBlock: RpcCall = { method: 'eth_getBlockByNumber', params: [at, false] }
  const parts = await askInParts(client, asked.flat(), [shownBlock])
  const answers = parts.flatMap(({ shared: [shown], answers: some }) => {
    const { hash } = (resultOf(shown) ?? {}) as { hash?: unknown }
    if (isHex(hash) && hash.toLowerCase() === blockHash.toLowerCase()) return some
    throw new AppError('confirm_rpc_unavailable', { details: 'the node does not have the block' })
  })
  let next = 0
  return asked.map(({ length }) => cameBy(answers.slice(next, (next += length))))
}

/**
 * The newest block of a node, and what has come to a split's address in all by that block or, where one comes between the answers, by the
 * next one, in base units.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readCameByHead(client: EvmClient, place: SplitPlace): Promise<{ head: bigint; came: bigint }> {
  const asked = questionsOf(place).map((call) => ({ method: 'eth_call', params: [call, 'latest'] }))
  const [head, ...answers] = await askTogether(client, [{ method: 'eth_blockNumber', params: [] }, ...asked])
  const read = { head: amountOf(head), came: cameBy(answers) }
  if (read.head !== undefined && read.came !== undefined) return { head: read.head, came: read.came }
  throw new AppError('confirm_rpc_unavailable', { details: 'the node refused' })
}

/** The first forwarder keeps nothing for those whom it could not pay. */
function questionsOf({ address, splitVersion, token }: SplitPlace): { to: Address; data: Hex }[] {
  return [
    callOf(token, balanceOf(address)),
    callOf(address, { abi: forwarderAbi, functionName: 'distributed', args: [token] }),
    ...(splitVersion === 1
      ? []
      : [callOf(address, { abi: pullForwarderAbi, functionName: 'reserved', args: [token] })]),
  ]
}

function callOf(to: Address, call: EncodeFunctionDataParameters): { to: Address; data: Hex } {
  return { to, data: encodeFunctionData(call) }
}

function balanceOf(address: Address) {
  return { abi: erc20Abi, functionName: 'balanceOf', args: [address] } as const
}

/** What is kept for a receiver lies there, and was shared out too. A forwarder that is not there yet has shared out nothing. */
function cameBy([held, distributed, reserved]: readonly RpcAnswer[]): bigint | undefined {
  const lies = amountOf(held)
  const left = amountOf(distributed, 0n)
  const kept = reserved === undefined ? 0n : amountOf(reserved, 0n)
  return lies === undefined || left === undefined || kept === undefined ? undefined : lies + left - kept
}

/** @param withoutCode what it is where the contract is not there */
function amountOf(answer: RpcAnswer | undefined, withoutCode?: bigint): bigint | undefined {
  const result = resultOf(answer)
  if (!isHex(result)) return undefined
  return result === '0x' ? withoutCode : hexToBigInt(result)
}

function resultOf(answer: RpcAnswer | undefined): unknown {
  return answer && 'result' in answer ? answer.result : undefined
}
