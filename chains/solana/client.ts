import { Connection, type ConnectionConfig } from '@solana/web3.js'
import type { Logger } from '../../kernel/log.js'
import type { SolanaChain } from '../chain.js'
import type { RpcCall } from '../nodes/json-rpc.js'
import type { NodePool } from '../nodes/node-pool.js'
import { openNodes, type NodeAddresses, type NodeTiming } from '../nodes/open-nodes.js'
import { solanaNodeRules } from './node-rules.js'
import { NodeError } from './rpc.js'

/** A way to one Solana cluster's RPC. */
export interface SolanaClient {
  /** For reading. It opens no WebSocket, so its `confirmTransaction` would wait for ever: see `confirm.ts`. */
  connection: Connection
  /**
   * One JSON-RPC call without web3.js, which drops a refusal's code and data.
   * @throws NodeError, TransportError
   */
  call: (method: string, params: readonly unknown[]) => Promise<unknown>
}

/**
 * Opens a client for a chain; nothing is sent until it is asked. It never retries by itself. Where the chain has several
 * addresses, one that gives no answer is followed by the next.
 * @param options.log told of nodes that rest, or are of another cluster
 */
export function createSolanaClient(
  chain: Omit<NodeAddresses, 'name'> & Pick<SolanaChain, 'commitment'> & { name?: string },
  { log, ...timing }: NodeTiming & { log?: Pick<Logger, 'warn' | 'error'> } = {},
): SolanaClient {
  const addresses = { name: 'solana', ...chain }
  const nodes = openNodes(addresses, { rules: solanaNodeRules, identity: undefined }, timing, log)
  const connection = new Connection(chain.rpcUrl, {
    commitment: chain.commitment,
    disableRetryOnRateLimit: true,
    httpAgent: false,
    fetch: fetchFrom(nodes) as unknown as NonNullable<ConnectionConfig['fetch']>,
  })
  return {
    connection,
    call: async (method, params) => {
      const answer = await nodes.ask({ method, params })
      if ('result' in answer) return answer.result
      const { code, message, data } = answer.error
      throw new NodeError(code, message, data)
    },
  }
}

/** What web3.js takes for fetch: each call of its body goes to the nodes, its answer back under its own id. */
function fetchFrom(nodes: NodePool) {
  return async (_url: unknown, init?: { body?: unknown }): Promise<Response> => {
    const body = JSON.parse(String(init?.body ?? '')) as Sent | Sent[]
    const answerTo = async ({ id, method, params = [] }: Sent): Promise<object> => {
      return { jsonrpc: '2.0', id, ...(await nodes.ask({ method, params })) }
    }
    return Response.json(await (Array.isArray(body) ? Promise.all(body.map(answerTo)) : answerTo(body)))
  }
}

type Sent = RpcCall & { id: unknown }
