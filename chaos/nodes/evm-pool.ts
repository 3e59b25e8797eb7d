import { keccak256, type Hex } from 'viem'
import type { EndFault, Fault } from '../fault.js'
import { createFaultSet, numberOf } from '../http/http-faults.js'
import { startBalancer, type PoolNode } from './balancer.js'
import { answerBehind } from './evm-height.js'
import { answerOnBranch, leaveBehind, type OldBranch } from './evm-old-branch.js'
import { gethRefusal } from './geth-rules.js'
import { askAt, resultAt, type RpcCall, type RpcOutcome } from './json-rpc.js'
import { reorganise, type Reorganisation, type ReorganisationRequest } from './reorganise.js'

/** Simulated nodes in front of one anvil. */
export interface EvmPool {
  /** Behind this address the calls are spread over the nodes. */
  url: string
  nodes: readonly PoolNode[]
  /**
   * Reorganises the chain that all nodes follow.
   * @param without a node that stays on the old branch until `rejoin`
   */
  reorganise: (
    request: Pick<ReorganisationRequest, 'blocks' | 'seed' | 'chances'>,
    without?: PoolNode,
  ) => Promise<Reorganisation & { rejoin: EndFault }>
  close: () => Promise<void>
}

const SEND = 'eth_sendRawTransaction'
/** Kinds of fault that change a node's answers, beside the ones of any HTTP exchange. */
export const EVM_NODE_FAULT_KINDS = ['lag', 'swallow', 'forget'] as const

/**
 * Starts nodes in front of an anvil. Whatever is on, they keep geth's rules for the pool, which anvil does not have. `lag
 * {blocks}`: consistent at a height that is so much lower, never below the head at the start. `swallow`: takes a
 * transaction with a good answer and loses it. `forget`: knows blocks, but no transaction or receipt by its hash.
 * @param options.nodes how many, 3 by default
 */
export async function startEvmPool({ rpcUrl, nodes = 3 }: { rpcUrl: string; nodes?: number }): Promise<EvmPool> {
  const ask = askAt(rpcUrl)
  const floor = Number(await resultAt(rpcUrl)('eth_blockNumber', []))
  const held = new Set<string>()
  const branches = new Map<PoolNode, OldBranch>()
  let reorganising: Promise<unknown> = Promise.resolve()

  const send = async (node: PoolNode, call: RpcCall): Promise<RpcOutcome> => {
    const raw = call.params[0] as Hex
    if (node.faults.find('swallow')) return { result: keccak256(raw) }
    await reorganising
    const refusal = await gethRefusal(ask, raw)
    if (refusal) return refusal
    const outcome = await ask(SEND, call.params)
    if ('result' in outcome) held.add(outcome.result as string)
    return outcome
  }
  const answer = async (node: PoolNode, call: RpcCall): Promise<RpcOutcome> => {
    if (call.method === SEND) return send(node, call)
    const isByHash = call.method === 'eth_getTransactionByHash' || call.method === 'eth_getTransactionReceipt'
    if (isByHash && node.faults.find('forget')) return { result: null }
    const branch = branches.get(node)
    if (branch) return answerOnBranch(branch, call)
    const lag = node.faults.find('lag')
    return lag ? answerBehind(ask, call, numberOf(lag, 'blocks', 1), floor) : ask(call.method, call.params)
  }
  const isAiling = (node: PoolNode): boolean =>
    branches.has(node) || EVM_NODE_FAULT_KINDS.some((kind) => node.faults.find(kind))
  const pool = await startBalancer({
    rpcUrl,
    names: Array.from({ length: nodes }, (_, index) => `evm-${index + 1}`),
    newFaults: createFaultSet,
    behaviour: { isPlain: (node, body) => !isAiling(node) && !body.includes(SEND), answer },
  })
  const reorganiseNow: EvmPool['reorganise'] = async (request, without) => {
    const branch = without && (await leaveBehind(rpcUrl))
    const before = without && branches.get(without)
    if (branch) branches.set(without, branch)
    await before?.stop()
    const done = await reorganise(rpcUrl, { ...request, floor, isHeld: (hash) => held.has(hash) })
    return {
      ...done,
      rejoin: async () => {
        if (without && branches.get(without) === branch) branches.delete(without)
        await branch?.stop()
      },
    }
  }
  return {
    url: pool.url,
    nodes: pool.nodes,
    reorganise: (...request) => {
      // One after the other: two at once would each drop what the other has just made.
      const next = reorganising.then(() => reorganiseNow(...request))
      reorganising = next.catch(() => undefined)
      return next
    },
    close: async () => {
      await reorganising
      await pool.close()
      for (const branch of branches.values()) await branch.stop()
    },
  }
}

/** A reorganisation as a fault says it. */
export function reorganisationOf(fault: Fault): Pick<ReorganisationRequest, 'blocks' | 'seed' | 'chances'> {
  const chances = { included: numberOf(fault, 'included', 0.5), lost: numberOf(fault, 'lost', 0) }
  return { blocks: numberOf(fault, 'blocks', 1), seed: numberOf(fault, 'seed', 0), chances }
}
