import { text } from 'node:stream/consumers'
import { jsonRpc, type RpcAnswer } from './rpc-proxy.js'
import { serve } from './serve.js'

/** Two nodes of one chain behind one address, of which one can be behind the other. */
export interface SolanaNodePool {
  url: string
  /** How many slots the second node is behind; 0 at first. */
  lagSlots: number
  /** Which calls the second node answers, by their method; none at first. */
  isBehind: (method: string) => boolean
  /** Whether the second node has lost its history: it shows no transaction, whatever its slot. */
  forgets: boolean
  /**
   * Whether the second node takes no transaction; `failing`: it says of each that it would fail; `unexplained`: the same, and not by what;
   * `early`: that its nonce is too new; `doubtful`: nothing of it, nor of one that is only tried.
   */
  refuses: boolean | 'failing' | 'unexplained' | 'early' | 'doubtful'
  /** How far above their own the slots are that the second node names in statuses and for accounts; 0 at first. */
  inventedSlots: number
}

interface Call {
  id: unknown
  method: string
  params?: unknown[]
}

/** Starts the two nodes. @param rpcUrl of the chain that both show */
export async function startSolanaNodePool(rpcUrl: string): Promise<SolanaNodePool> {
  const ask: Ask = (method, params) => jsonRpc(rpcUrl, method, params)
  const { url } = await serve((request, response) => {
    void (async () => {
      const call = JSON.parse(await text(request)) as Call
      const { result, error } = pool.isBehind(call.method)
        ? await askBehind(ask, pool, call)
        : await ask(call.method, call.params)
      const body = error === undefined ? { result } : { error }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...body }))
    })()
  })
  const pool: SolanaNodePool = {
    url,
    lagSlots: 0,
    isBehind: () => false,
    forgets: false,
    refuses: false,
    inventedSlots: 0,
  }
  return pool
}

const wouldFail = (instruction: number, error: number): RpcAnswer => ({
  error: {
    code: -32002,
    message: `Transaction simulation failed: Error processing Instruction ${instruction}: custom program error: 0x${error}`,
    data: { err: { InstructionError: [instruction, { Custom: error }] }, logs: [] },
  },
})

type Ask = (method: string, params?: unknown[]) => Promise<RpcAnswer>

/** What the node answers that has not seen the newest slots. */
async function askBehind(ask: Ask, pool: SolanaNodePool, { method, params }: Call): Promise<RpcAnswer> {
  const { lagSlots, forgets, refuses } = pool
  // Another's account has too little, say.
  if (refuses === 'failing' && method === 'sendTransaction') return wouldFail(4, 1)
  if (refuses === 'unexplained' && method === 'sendTransaction')
    return { error: { code: -32002, message: 'Transaction simulation failed' } }
  if (refuses === 'early' && method === 'sendTransaction') return wouldFail(0, 7)
  if (refuses === 'doubtful' && (method === 'sendTransaction' || method === 'simulateTransaction'))
    return { error: { code: -32603, message: 'Internal error' } }
  if (refuses && method === 'sendTransaction') return { error: { code: -32005, message: 'Node is behind' } }
  const head = Number((await ask('getSlot')).result) - lagSlots
  const named = (item: unknown): unknown => {
    const { slot } = item as { slot: number }
    return { ...(item as object), slot: slot + pool.inventedSlots }
  }
  const isSeen = (item: unknown): boolean => !forgets && Number((item as { slot: number } | null)?.slot) <= head
  const wantedSlot = (params?.at(-1) as { minContextSlot?: number } | undefined)?.minContextSlot ?? 0
  if (wantedSlot > head) {
    return {
      error: { code: -32016, message: 'Minimum context slot has not been reached', data: { contextSlot: head } },
    }
  }
  const answer = await ask(method, params)
  if (answer.error !== undefined) return answer
  return { result: cut(method, answer.result, { head, lagSlots, isSeen, named }) }
}

interface Second {
  head: number
  lagSlots: number
  isSeen: (item: unknown) => boolean
  /** A status, or the context of an answer, as it names it. */
  named: (item: unknown) => unknown
}

function cut(method: string, result: unknown, { head, lagSlots, isSeen, named }: Second): unknown {
  switch (method) {
    case 'getSlot':
    case 'getBlockHeight':
      return Number(result) - lagSlots
    case 'getEpochInfo': {
      const info = result as { absoluteSlot: number; blockHeight: number }
      return { ...info, absoluteSlot: head, blockHeight: info.blockHeight - lagSlots }
    }
    case 'getSignatureStatuses': {
      const { context, value } = result as { context: object; value: unknown[] }
      return { context: { ...context, slot: head }, value: value.map((item) => (isSeen(item) ? named(item) : null)) }
    }
    case 'getSignaturesForAddress':
      return (result as unknown[]).filter(isSeen)
    case 'getMultipleAccounts': {
      const { context, value } = result as { context: object; value: unknown }
      return { context: named({ ...context, slot: head }), value }
    }
    case 'getTransaction':
      return isSeen(result) ? result : null
    default:
      return result
  }
}
