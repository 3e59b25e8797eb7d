import { hexToBigInt, isHex } from 'viem'
import { AppError } from '../../kernel/errors.js'
import { transportErrorIn, type RpcAnswer, type RpcCall } from '../nodes/json-rpc.js'
import type { NodePool } from '../nodes/node-pool.js'
import type { EvmClient } from './client.js'

/**
 * Calls in one request. geth and Alchemy take a thousand, Erigon and most hosted nodes a hundred, some of them advise fifty. The few that
 * take twenty say so, and are asked for half as much.
 */
const BATCH_MAX = 50

/** What the nodes of a chain take where that is less: learned from a refusal, once fewer calls were taken. */
const taken = new WeakMap<NodePool, number>()

/** The answers of one request. */
export interface AnsweredPart {
  /** To what was asked with each part. */
  shared: RpcAnswer[]
  answers: RpcAnswer[]
}

/**
 * Asks one node several things at once, in one HTTP request: behind an address with many nodes that is what makes the
 * answers those of one node. For a handful of calls; `askInParts` takes any number.
 * @param look which of those who ask the same at the same time this is: each asks another of the chain's addresses
 * @throws AppError `confirm_rpc_unavailable`, also where an answer is missing, doubled or nobody's
 */
export function askTogether(client: EvmClient, calls: readonly RpcCall[], look = 0): Promise<RpcAnswer[]> {
  return request(client, calls, look).catch(unavailable)
}

/**
 * Asks any number of things, in requests no larger than nodes take, one after the other. The answers of one request are of one
 * node, and those of two may be of two.
 * @param shared what is asked with each request, of the same node
 * @throws AppError `confirm_rpc_unavailable` as `askTogether`
 */
export async function askInParts(
  client: EvmClient,
  calls: readonly RpcCall[],
  shared: readonly RpcCall[] = [],
): Promise<AnsweredPart[]> {
  const { nodes } = client.transport
  const parts: AnsweredPart[] = []
  // Nodes refuse a batch of nothing.
  if (calls.length + shared.length === 0) return parts
  let most = taken.get(nodes) ?? BATCH_MAX
  let from = 0
  do {
    const some = calls.slice(from, from + Math.max(most - shared.length, 1))
    const asked = [...shared, ...some]
    try {
      const answers = await request(client, asked, 0)
      parts.push({ shared: answers.slice(0, shared.length), answers: answers.slice(shared.length) })
      from += some.length
      if (most < BATCH_MAX) taken.set(nodes, most)
    } catch (error) {
      if (transportErrorIn(error)?.isTooMany !== true || some.length <= 1) return unavailable(error)
      most = Math.ceil(asked.length / 2)
    }
  } while (from < calls.length)
  return parts
}

async function request(client: EvmClient, calls: readonly RpcCall[], look: number): Promise<RpcAnswer[]> {
  const once = (): Promise<RpcAnswer[]> => client.transport.nodes.askTogether(calls, look)
  return once().catch((error: unknown) => {
    // A kept-alive connection that the node has closed looks like this.
    if (transportErrorIn(error)?.answered === false) return once()
    throw error
  })
}

function unavailable(error: unknown): never {
  const failure = transportErrorIn(error)
  throw failure ? new AppError('confirm_rpc_unavailable', { details: failure.message }) : error
}

/** The number in an answer; 0 where there is none: then nothing is old enough, and no nonce is taken. */
export function numberOf(answer: RpcAnswer | undefined): bigint {
  return answer && 'result' in answer && isHex(answer.result) ? hexToBigInt(answer.result) : 0n
}
