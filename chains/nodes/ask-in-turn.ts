import { TransportError, type RpcAnswer, type RpcCall } from './json-rpc.js'
import type { NodeRoster } from './node-roster.js'

/**
 * Asks one node after the other until one can tell.
 * @param look the how-manieth node that is awake comes first, from 0
 * @returns the answers of one node, in one request; where none can tell, those of the first that said so
 * @throws TransportError where none answers
 */
export async function askInTurn(
  roster: NodeRoster,
  calls: readonly RpcCall[],
  { isBatch, look = 0 }: { isBatch: boolean; look?: number },
): Promise<RpcAnswer[]> {
  const { rules } = roster
  const needed = Math.max(...calls.map((call) => rules.neededHead(call) ?? roster.knownHead()))
  const order = roster.ranked(needed)
  const awake = order.filter(roster.isAwake)
  const from = awake.length > 0 ? look % awake.length : 0
  let trouble = new TransportError('unavailable', true, 'no node of the chain')
  let notNow: RpcAnswer[] | undefined
  for (const node of [...awake.slice(from), ...awake.slice(0, from), ...order.slice(awake.length)]) {
    try {
      const answers = await roster.ask(node, calls, isBatch)
      if (!answers) continue
      if (!answers.some((answer, at) => calls[at] && rules.isNotNow(calls[at], answer))) return answers
      notNow ??= answers
    } catch (error) {
      if (!(error instanceof TransportError)) throw error
      // What takes fewer calls can be helped.
      if (!trouble.isTooMany) trouble = error
    }
  }
  if (notNow) return notNow
  throw trouble
}
