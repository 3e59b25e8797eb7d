import { TransportError, type RpcAnswer, type RpcCall } from './json-rpc.js'
import type { RpcNode } from './node.js'
import type { DoubtRule, NodeRules } from './rules.js'

/** All addresses of a chain's RPC, as one that answers. */
export interface NodePool {
  /**
   * Asks one thing. What hands a transaction in goes to all nodes; a "no" counts from nodes only that are as far as any
   * was seen to be, and from two where there are two; anything else is asked of one node after the other until one can tell.
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

/** A node's word on which chain it is of holds so long. */
const IDENTITY_MS = 24 * 3_600_000

/**
 * Makes the pool of a chain's nodes.
 * @param options.identity what nodes have to say to `rules.identityCall`; undefined: as the first one says
 * @param options.onForeign told of a node that is of another chain; it is not asked again for a day
 */
export function createNodePool(options: {
  nodes: readonly RpcNode[]
  rules: NodeRules
  identity: string | undefined
  nowMs: () => number
  onForeign: (node: RpcNode) => void
}): NodePool {
  const { nodes, rules, nowMs } = options
  const [only] = nodes
  let { identity } = options

  const noteHeads = (node: RpcNode, calls: readonly RpcCall[], answers: readonly RpcAnswer[]): void => {
    for (const [index, call] of calls.entries()) {
      const answer = answers[index]
      const head = answer && rules.headIn(call, answer)
      if (head !== undefined) node.head = Math.max(node.head ?? 0, head)
    }
  }
  const knownHead = (): number => Math.max(0, ...nodes.filter(isOurs).map(({ head }) => head ?? 0))

  function isOurs(node: RpcNode): boolean {
    return node.identity === undefined || identity === undefined || node.identity.text === identity
  }
  function isAwake({ restsUntil }: RpcNode): boolean {
    return restsUntil <= nowMs()
  }
  /** Asks a node which chain it is of, once a day. */
  async function checkIdentity(node: RpcNode): Promise<boolean> {
    if (!node.identity || nowMs() - node.identity.checkedAt >= IDENTITY_MS) {
      const [answer] = await node.ask([rules.identityCall], { isBatch: false })
      if (!answer || 'error' in answer) {
        node.rest('it does not tell its chain')
        throw new TransportError('unavailable', true, 'it does not tell its chain')
      }
      node.identity = { text: String(answer.result), checkedAt: nowMs() }
      identity ??= node.identity.text
      if (!isOurs(node)) options.onForeign(node)
    }
    return isOurs(node)
  }
  /** Those that may be asked, the best first: not those that rest, nor those known to be behind what is needed. */
  function ranked(needed: number): RpcNode[] {
    const now = nowMs()
    const worth = (node: RpcNode): number =>
      (isAwake(node) ? 0 : 2) + (node.head !== undefined && node.head < needed ? 1 : 0)
    const isFresh = ({ identity: told }: RpcNode): boolean => told !== undefined && now - told.checkedAt < IDENTITY_MS
    return nodes
      .filter((node) => isOurs(node) || !isFresh(node))
      .toSorted((one, other) => worth(one) - worth(other) || one.position - other.position)
  }
  /** One request to one node; undefined where the node is of another chain. */
  async function askNode(node: RpcNode, calls: readonly RpcCall[], isBatch: boolean): Promise<RpcAnswer[] | undefined> {
    if (!(await checkIdentity(node))) return undefined
    const answers = await node.ask(calls, { isBatch })
    noteHeads(node, calls, answers)
    const limit = answers.find((answer) => 'error' in answer && rules.isLimit(answer.error))
    if (limit) node.rest('too many calls')
    return answers
  }

  async function askInTurn(calls: readonly RpcCall[], isBatch: boolean, look = 0): Promise<RpcAnswer[]> {
    const needed = Math.max(...calls.map((call) => rules.neededHead(call) ?? knownHead()))
    const order = ranked(needed)
    const awake = order.filter(isAwake)
    const from = awake.length > 0 ? look % awake.length : 0
    let trouble = new TransportError('unavailable', true, 'no node of the chain')
    let notNow: RpcAnswer[] | undefined
    for (const node of [...awake.slice(from), ...awake.slice(0, from), ...order.slice(awake.length)]) {
      try {
        const answers = await askNode(node, calls, isBatch)
        if (!answers) continue
        if (!answers.some((answer, at) => calls[at] && rules.isNotNow(calls[at], answer))) return answers
        notNow ??= answers
      } catch (error) {
        if (!(error instanceof TransportError)) throw error
        trouble = error
      }
    }
    if (notNow) return notNow
    throw trouble
  }
  async function askInDoubt(call: RpcCall, rule: DoubtRule): Promise<RpcAnswer> {
    const needed = knownHead()
    const calls = rules.headCall ? [rules.headCall, call] : [call]
    let trouble = new TransportError('unavailable', true, 'no node is far enough')
    const noes: { result: unknown }[] = []
    let refusal: RpcAnswer | undefined
    for (const node of ranked(needed)) {
      // One that gives no answers is not waited for again where another has said it.
      if (noes.length > 0 && !isAwake(node)) break
      try {
        const answers = await askNode(node, calls, rules.headCall !== undefined)
        const answer = answers?.at(-1)
        if (!answers || !answer) continue
        if ('error' in answer) {
          if (!rules.isNotNow(call, answer)) refusal ??= answer
          continue
        }
        if (!rule.isNo(answer.result)) return answer
        const head = calls
          .map((one, at) => answers[at] && rules.headIn(one, answers[at]))
          .find((at) => at !== undefined)
        if (head === undefined || head >= needed) noes.push(answer)
        if (noes.length === 2) break
      } catch (error) {
        if (!(error instanceof TransportError)) throw error
        trouble = error
      }
    }
    const [one, other] = noes
    if (one) return other ? { result: rule.merge(one.result, other.result) } : one
    if (refusal) return refusal
    throw trouble
  }
  /** Hands a transaction in everywhere; the first node that takes it answers, the others go on by themselves. */
  async function sendToAll(call: RpcCall): Promise<RpcAnswer> {
    const all = ranked(0)
    const awake = all.filter(isAwake)
    const refusals: RpcAnswer[] = []
    const troubles: TransportError[] = []
    const sends = (awake.length > 0 ? awake : all).map(async (node) => {
      try {
        const [answer] = (await askNode(node, [call], false)) ?? []
        if (answer && ('result' in answer || rules.isAlreadyKnown(answer.error))) return answer
        if (answer) refusals.push(answer)
      } catch (error) {
        if (!(error instanceof TransportError)) throw error
        troubles.push(error)
      }
      throw new Error('not taken')
    })
    try {
      return await Promise.any(sends)
    } catch {
      // One that may have arrived is not refused, whatever another node says of it.
      const unknown = troubles.find(({ isRefusal }) => !isRefusal)
      const [refusal] = refusals
      if (!unknown && refusal) return refusal
      throw unknown ?? troubles[0] ?? new TransportError('unavailable', true, 'no node of the chain')
    }
  }
  if (only && nodes.length === 1) {
    // What stands behind one address cannot be told apart: the callers' own proofs have to do.
    return {
      ask: async (call) => first(await only.ask([call], { isBatch: false })),
      askTogether: (calls) => only.ask(calls, { isBatch: true }),
    }
  }
  return {
    ask: async (call) => {
      if (rules.isSend(call)) return sendToAll(call)
      const doubt = rules.doubtOf(call)
      return doubt ? askInDoubt(call, doubt) : first(await askInTurn([call], false))
    },
    askTogether: (calls, look) => askInTurn(calls, true, look),
  }
}

function first(answers: readonly RpcAnswer[]): RpcAnswer {
  const [answer] = answers
  if (!answer) throw new TransportError('unavailable', false, 'a call without an answer')
  return answer
}
