import { hexToBigInt, isHex } from 'viem'
import { AppError } from '../../kernel/errors.js'
import { transportErrorIn, type RpcAnswer, type RpcCall } from '../nodes/json-rpc.js'
import type { EvmClient } from './client.js'

/**
 * Asks one node several things at once, in one HTTP request: behind an address with many nodes that is what makes the
 * answers those of one node.
 * @param look which of those who ask the same at the same time this is: each asks another of the chain's addresses
 * @throws AppError `confirm_rpc_unavailable`, also where an answer is missing, doubled or nobody's
 */
export async function askTogether(client: EvmClient, calls: readonly RpcCall[], look = 0): Promise<RpcAnswer[]> {
  const once = (): Promise<RpcAnswer[]> => client.transport.nodes.askTogether(calls, look)
  try {
    return await once().catch((error: unknown) => {
      // A kept-alive connection that the node has closed looks like this.
      if (transportErrorIn(error)?.answered === false) return once()
      throw error
    })
  } catch (error) {
    const failure = transportErrorIn(error)
    throw failure ? new AppError('confirm_rpc_unavailable', { details: failure.message }) : error
  }
}

/** The number in an answer; 0 where there is none: then nothing is old enough, and no nonce is taken. */
export function numberOf(answer: RpcAnswer | undefined): bigint {
  return answer && 'result' in answer && isHex(answer.result) ? hexToBigInt(answer.result) : 0n
}
