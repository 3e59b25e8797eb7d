import bs58 from 'bs58'
import { parseWire } from '../../chains/solana/wire.js'
import { createFaultSet, numberOf } from '../http/http-faults.js'
import { startBalancer, type PoolNode } from './balancer.js'
import { askAt, resultAt, type RpcCall, type RpcOutcome } from './json-rpc.js'
import { answerAtSlot } from './solana-behind.js'
import { configOf, readSlotView } from './solana-view.js'

/** Simulated nodes in front of the sandbox's Solana. */
export interface SolanaPool {
  /** Behind this address the calls are spread over the nodes. */
  url: string
  nodes: readonly PoolNode[]
  close: () => Promise<void>
}

/** Kinds of fault that change a node's answers, beside the ones of any HTTP exchange. */
export const SOLANA_NODE_FAULT_KINDS = ['lag', 'swallow', 'forget'] as const

const SEND = 'sendTransaction'

/**
 * Starts nodes in front of a Solana. Each honours `minContextSlot` by itself. `lag {slots}`: cut at a slot that is so much
 * lower. `swallow`: takes a transaction with a good answer, and no leader ever hears of it. `forget {slots}`: its store of
 * transactions is so far behind, and the archive behind that gives nothing: what is not in the status cache is null.
 * @param options.nodes how many, 3 by default
 */
export async function startSolanaPool({ rpcUrl, nodes = 3 }: { rpcUrl: string; nodes?: number }): Promise<SolanaPool> {
  const ask = askAt(rpcUrl)
  const read = resultAt(rpcUrl)
  const answer = async (node: PoolNode, call: RpcCall): Promise<RpcOutcome> => {
    const { faults } = node
    if (call.method === SEND && faults.find('swallow')) {
      const signature = signatureOf(call)
      if (signature !== undefined) return { result: signature }
    }
    const [lag, forget] = [faults.find('lag'), faults.find('forget')]
    // The sandbox has a block in every second slot.
    const slots = lag ? 2 * Math.ceil(numberOf(lag, 'slots', 2) / 2) : 0
    const storeLag = forget ? numberOf(forget, 'slots', 0) : 0
    return answerAtSlot(ask, await readSlotView(read, { lag: slots, storeLag }), call)
  }
  const isAiling = (node: PoolNode): boolean => SOLANA_NODE_FAULT_KINDS.some((kind) => node.faults.find(kind))
  return startBalancer({
    rpcUrl,
    names: Array.from({ length: nodes }, (_, index) => `solana-${index + 1}`),
    newFaults: createFaultSet,
    behaviour: { isPlain: (node, body) => !isAiling(node) && !body.includes('minContextSlot'), answer },
  })
}

function signatureOf({ params }: RpcCall): string | undefined {
  const text = String(params[0])
  try {
    const bytes = configOf(params)['encoding'] === 'base64' ? Buffer.from(text, 'base64') : bs58.decode(text)
    return bs58.encode(parseWire(bytes).signatures[0] ?? new Uint8Array())
  } catch {
    return undefined
  }
}
