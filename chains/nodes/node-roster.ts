import { TransportError, type RpcAnswer, type RpcCall } from './json-rpc.js'
import type { RpcNode } from './node.js'
import type { NodeRules } from './rules.js'
import { createSilences, type Silences } from './silences.js'

/** What is known of a chain's nodes together: which of them are of the chain, who rests, and how far each has come. */
export interface NodeRoster {
  rules: NodeRules
  /** The highest block that any node of the chain has shown; 0 before the first. */
  knownHead: () => number
  /** Those that may be asked, the best first: at the end those that rest, and before them those known to be behind. */
  ranked: (neededHead: number) => RpcNode[]
  isAwake: (node: RpcNode) => boolean
  silences: Silences
  /**
   * One request to one node; undefined where the node is of another chain.
   * @throws TransportError
   */
  ask: (node: RpcNode, calls: readonly RpcCall[], isBatch: boolean) => Promise<RpcAnswer[] | undefined>
}

/** What a roster is made of. */
export interface RosterOptions {
  nodes: readonly RpcNode[]
  rules: NodeRules
  /** What nodes have to say to `rules.identityCall`; undefined: what the first one says. */
  identity: string | undefined
  nowMs: () => number
  /** Told of a node that is of another chain; it is not asked again for a day. */
  onForeign: (node: RpcNode) => void
}

/** A node's word on which chain it is of holds so long. */
const IDENTITY_MS = 24 * 3_600_000

/**
 * A node's highest block is forgotten where it says less for so long. Behind one address there may be several nodes, of which
 * one lags for a moment; but one that has once claimed a block that does not exist must not make every "no" uncountable.
 */
const HEAD_MS = 10 * 60_000

/** Makes the roster of a chain's nodes. */
export function createRoster({ nodes, rules, identity: expected, nowMs, onForeign }: RosterOptions): NodeRoster {
  let identity = expected
  const isOurs = ({ identity: told }: RpcNode): boolean =>
    told === undefined || identity === undefined || told.text === identity
  const hasToldToday = ({ identity: told }: RpcNode): boolean =>
    told !== undefined && nowMs() - told.checkedAt < IDENTITY_MS
  const isAwake = ({ restsUntil }: RpcNode): boolean => restsUntil <= nowMs()

  const noteHead = (node: RpcNode, head: number): void => {
    const [known, nowAtMs] = [node.head, nowMs()]
    if (known === undefined || head >= known.number || nowAtMs - known.saidAtMs > HEAD_MS)
      node.head = { number: head, saidAtMs: nowAtMs }
  }
  const checkIdentity = async (node: RpcNode): Promise<boolean> => {
    if (hasToldToday(node)) return isOurs(node)
    const [answer] = await node.ask([rules.identityCall], { isBatch: false })
    if (!answer || 'error' in answer) {
      node.rest('it does not tell its chain')
      throw new TransportError('unavailable', true, 'it does not tell its chain')
    }
    node.identity = { text: String(answer.result), checkedAt: nowMs() }
    identity ??= node.identity.text
    if (!isOurs(node)) onForeign(node)
    return isOurs(node)
  }
  return {
    rules,
    isAwake,
    silences: createSilences(nowMs),
    knownHead: () => Math.max(0, ...nodes.filter(isOurs).map(({ head }) => head?.number ?? 0)),
    ranked: (needed) => {
      const rank = (node: RpcNode): number =>
        (isAwake(node) ? 0 : 2) + (node.head !== undefined && node.head.number < needed ? 1 : 0)
      return nodes
        .filter((node) => isOurs(node) || !hasToldToday(node))
        .toSorted((one, other) => rank(one) - rank(other) || one.position - other.position)
    },
    ask: async (node, calls, isBatch) => {
      if (!(await checkIdentity(node))) return undefined
      const answers = await node.ask(calls, { isBatch })
      for (const [index, call] of calls.entries()) {
        const head = answers[index] && rules.headIn(call, answers[index])
        if (head !== undefined) noteHead(node, head)
      }
      if (answers.some((answer) => 'error' in answer && rules.isLimit(answer.error))) node.rest('too many calls')
      return answers
    },
  }
}
