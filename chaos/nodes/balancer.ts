import { forward, jsonAnswer, startHttpServer, type HttpAnswer, type HttpServer } from '../http/exchange.js'
import { exchangeUnder, type FaultSet } from '../http/http-faults.js'
import { answerTo, readCalls, rpcRequest, type RpcCall, type RpcOutcome } from './json-rpc.js'

/** One simulated node of a pool. */
export interface PoolNode {
  /** E.g. `evm-2`. */
  name: string
  /** This node alone, past the balancer. */
  url: string
  faults: FaultSet
}

/** What a pool knows of its node's answers. */
export interface NodeBehaviour {
  /** Whether this body can go to the real node as it is; asked for every request, so it has to be cheap. */
  isPlain: (node: PoolNode, body: Buffer) => boolean
  answer: (node: PoolNode, call: RpcCall) => Promise<RpcOutcome>
}

/**
 * Serves some nodes behind one address, as a provider's load balancer does: each HTTP request goes to the next node, and a
 * batch to one. `/1`, `/2`, ... reach one node alone.
 */
export async function startBalancer(options: {
  rpcUrl: string
  names: readonly string[]
  newFaults: () => FaultSet
  behaviour: NodeBehaviour
}): Promise<HttpServer & { nodes: readonly PoolNode[] }> {
  const { rpcUrl, behaviour } = options
  const nodes: PoolNode[] = []
  let next = 0
  const server = await startHttpServer(async ({ path, body }, response) => {
    const node = nodes[Number(path.slice(1)) - 1] ?? nodes[next++ % nodes.length]
    if (!node) throw new Error('the pool has no nodes')
    await exchangeUnder(node.faults, response, () => serve(node, rpcUrl, behaviour, body))
  })
  for (const [index, name] of options.names.entries()) {
    nodes.push({ name, url: `${server.url}/${index + 1}`, faults: options.newFaults() })
  }
  return {
    ...server,
    nodes,
    close: async () => {
      for (const node of nodes) node.faults.clear()
      await server.close()
    },
  }
}

const OPENING_BRACKET = 0x5b

async function serve(node: PoolNode, rpcUrl: string, behaviour: NodeBehaviour, body: Buffer): Promise<HttpAnswer> {
  if (body[0] !== OPENING_BRACKET && behaviour.isPlain(node, body)) {
    return forward(rpcUrl, rpcRequest(body), { repeatable: true })
  }
  const calls = readCalls(body)
  if (calls === undefined) return forward(rpcUrl, rpcRequest(body), { repeatable: true })
  if (!Array.isArray(calls)) return jsonAnswer(answerTo(calls, await behaviour.answer(node, calls)))
  const answers = await Promise.all(calls.map(async (call) => answerTo(call, await behaviour.answer(node, call))))
  // JSON-RPC leaves the order of a batch's answers open, and clients that count on one are wrong.
  return jsonAnswer(answers.toReversed())
}
