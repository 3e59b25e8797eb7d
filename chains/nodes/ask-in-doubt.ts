import { TransportError, type RpcAnswer, type RpcCall } from './json-rpc.js'
import type { RpcNode } from './node.js'
import type { NodeRoster } from './node-roster.js'
import type { DoubtRule } from './rules.js'

/**
 * Asks what may be answered by a "no". The first other answer counts. A "no" counts from a node that is as far as any was
 * seen to be when it was asked, and two are heard where two such nodes are awake. One that has left the same
 * question without an answer for less than a minute is waited for where the "no" is decisive.
 * @throws TransportError where nobody who is far enough answers, or only one does and another is waited for
 */
export async function askInDoubt(roster: NodeRoster, call: RpcCall, rule: DoubtRule): Promise<RpcAnswer> {
  const { rules, silences } = roster
  const needed = roster.knownHead()
  const calls = rules.headCall ? [rules.headCall, call] : [call]
  let trouble = new TransportError('unavailable', true, 'no node is far enough')
  const noes: { result: unknown }[] = []
  let refusal: RpcAnswer | undefined
  const noteSilent = (node: RpcNode): void => {
    if (rule.isDecisive) silences.noteSilent(node, call.method)
  }
  for (const node of roster.ranked(needed)) {
    // One that gives no answers is not waited for again where another has said it.
    if (noes.length > 0 && !roster.isAwake(node)) {
      noteSilent(node)
      continue
    }
    try {
      const answers = await roster.ask(node, calls, rules.headCall !== undefined)
      const answer = answers?.at(-1)
      if (!answers || !answer) continue
      if ('error' in answer) {
        if (rules.isLimit(answer.error)) noteSilent(node)
        if (!rules.isNotNow(call, answer)) refusal ??= answer
        continue
      }
      silences.noteAnswer(node, call.method)
      if (!rule.isNo(answer.result)) return answer
      const heads = calls.map((one, at) => answers[at] && rules.headIn(one, answers[at]))
      const head = heads.find((at) => at !== undefined)
      if (head === undefined || head >= needed) noes.push(answer)
      if (noes.length === 2) break
    } catch (error) {
      if (!(error instanceof TransportError)) throw error
      noteSilent(node)
      trouble = error
    }
  }
  const [one, other] = noes
  if (one && other) return { result: rule.merge(one.result, other.result) }
  if (one && rule.isDecisive && silences.isAnyAwaited(call.method))
    throw new TransportError('unavailable', true, 'one node says no, and another is silent')
  if (one) return one
  if (refusal) return refusal
  throw trouble
}
