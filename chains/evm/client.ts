import {
  createPublicClient,
  createTransport,
  RpcRequestError,
  type EIP1193RequestFn,
  type PublicClient,
  type Transport,
} from 'viem'
import type { Logger } from '../../kernel/log.js'
import type { EvmChain } from '../chain.js'
import type { NodePool } from '../nodes/node-pool.js'
import { openNodes, type NodeTiming } from '../nodes/open-nodes.js'
import { evmIdentity, evmNodeRules, lacksNumber } from './node-rules.js'

/** A connection to one EVM chain's nodes. */
export type EvmClient = PublicClient<Transport<'nodes', { nodes: NodePool }>>

/**
 * Opens a client for a chain; nothing is sent until it is asked. It never retries by itself: `ask` in `rpc.ts` decides that,
 * and what is sent must not be sent twice by accident. Where the chain has several addresses, one that gives no answer is
 * followed by the next.
 * @param options.log told of nodes that rest, or are of another chain
 */
export function createEvmClient(
  chain: EvmChain,
  { log, ...timing }: NodeTiming & { log?: Pick<Logger, 'warn' | 'error'> } = {},
): EvmClient {
  const nodes = openNodes(chain, { rules: evmNodeRules, identity: evmIdentity(chain.chainId) }, timing, log)
  return createPublicClient({
    // A cached block number would make confirmations look younger than they are.
    cacheTime: 0,
    transport: () =>
      createTransport(
        { key: 'nodes', name: 'nodes', type: 'nodes', retryCount: 0, request: requestOf(nodes) as EIP1193RequestFn },
        { nodes },
      ) as ReturnType<Transport<'nodes', { nodes: NodePool }>>,
  })
}

/** As a node that limits its calls would say it. */
const NO_NUMBER = { code: -32005, message: 'an answer without a number' }

/** One call as viem makes it: a node's error becomes viem's own, by which it knows a revert. The URL is not in it. */
function requestOf(nodes: NodePool) {
  return async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    const answer = await nodes.ask({ method, params: (params ?? []) as readonly unknown[] })
    if (lacksNumber(method, answer)) throw new RpcRequestError({ body: { method }, error: NO_NUMBER, url: 'nodes' })
    if ('result' in answer) return answer.result
    throw new RpcRequestError({ body: { method }, error: answer.error, url: 'nodes' })
  }
}
