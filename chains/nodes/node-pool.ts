import { askInDoubt } from './ask-in-doubt.js'
import { askInTurn } from './ask-in-turn.js'
import { TransportError, type RpcAnswer, type RpcCall } from './json-rpc.js'
import type { RpcNode } from './node.js'
import { createRoster, type RosterOptions } from './node-roster.js'
import { sendToAll } from './send-to-all.js'

/** All addresses of a chain's RPC, as one that answers. */
export interface NodePool {
  /**
   * Asks one thing. What hands a transaction in goes to all nodes; a "no" counts from nodes only that are as far as any
   * was seen to be, and from two where two answer (ADR 74); anything else is asked of one node after the other until one can
   * tell.
   * @throws TransportError
   */
  ask: (call: RpcCall) => Promise<RpcAnswer>
  /**
   * Asks one node several things in one HTTP request, so that its answers are of one view of the chain.
   * @param look which of those who ask the same at the same time this is: each takes another node, where there is one
   * @throws TransportError
   */
  askTogether: (calls: readonly RpcCall[], look?: number) => Promise<RpcAnswer[]>
}

/** Makes the pool of a chain's nodes. */
export function createNodePool(options: RosterOptions): NodePool {
  const [only, ...others] = options.nodes
  if (only && others.length === 0) return poolOfOne(only)
  const roster = createRoster(options)
  const { rules } = options
  return {
    ask: async (call) => {
      if (rules.isSend(call)) return sendToAll(roster, call)
      const doubt = rules.doubtOf(call)
      return doubt ? askInDoubt(roster, call, doubt) : first(await askInTurn(roster, [call], { isBatch: false }))
    },
    askTogether: (calls, look) => askInTurn(roster, calls, { isBatch: true, ...(look !== undefined && { look }) }),
  }
}

/** What stands behind one address cannot be told apart: nothing is asked twice, and the callers' own proofs have to do. */
function poolOfOne(node: RpcNode): NodePool {
  return {
    ask: async (call) => first(await node.ask([call], { isBatch: false })),
    askTogether: (calls) => node.ask(calls, { isBatch: true }),
  }
}

function first(answers: readonly RpcAnswer[]): RpcAnswer {
  const [answer] = answers
  if (!answer) throw new TransportError('unavailable', false, 'a call without an answer')
  return answer
}
