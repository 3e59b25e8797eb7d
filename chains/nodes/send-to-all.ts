import { TransportError, type RpcAnswer, type RpcCall } from './json-rpc.js'
import type { NodeRoster } from './node-roster.js'

/**
 * Hands a signed transaction in at every node that does not rest. The first that takes it answers; the others go on by
 * themselves. One that may have arrived is not called refused, whatever another node says of it.
 * @returns the answer of a node that took it or has it already, otherwise a refusal; one that leaves open whether it was sent first
 * @throws TransportError where no node is known to have taken or refused it
 */
export async function sendToAll(roster: NodeRoster, call: RpcCall): Promise<RpcAnswer> {
  const all = roster.ranked(0)
  const awake = all.filter(roster.isAwake)
  const refusals: RpcAnswer[] = []
  const doubts: RpcAnswer[] = []
  const troubles: TransportError[] = []
  const sends = (awake.length > 0 ? awake : all).map(async (node) => {
    try {
      const [answer] = (await roster.ask(node, [call], false)) ?? []
      if (answer && ('result' in answer || roster.rules.isAlreadyKnown(answer.error))) return answer
      if (answer) (roster.rules.provesUnsent(answer.error) ? refusals : doubts).push(answer)
    } catch (error) {
      if (!(error instanceof TransportError)) throw error
      troubles.push(error)
    }
    throw new Error('not taken')
  })
  try {
    return await Promise.any(sends)
  } catch {
    const unknown = troubles.find(({ isRefusal }) => !isRefusal)
    const refusal = doubts[0] ?? refusals[0]
    if (!unknown && refusal) return refusal
    throw unknown ?? troubles[0] ?? new TransportError('unavailable', true, 'no node of the chain')
  }
}
