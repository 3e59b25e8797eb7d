import { text } from 'node:stream/consumers'
import { hexToNumber, numberToHex, type Hex } from 'viem'
import { jsonRpc, type RpcAnswer } from './rpc-proxy.js'
import { serve } from './serve.js'

/** Two nodes of one chain behind one address, of which one can be behind the other. */
export interface EvmNodePool {
  url: string
  /** How many blocks the second node is behind; 0 at first. */
  lagBlocks: number
  /** Which HTTP requests the second node answers, by the methods in them; none at first. */
  isBehind: (methods: readonly string[]) => boolean
  /** Answers of the first node that are changed on their way, e.g. to those of another branch. */
  change: (method: string, result: unknown) => unknown
  /** Whether the connection is cut after the node has answered. */
  isCut: (methods: readonly string[]) => boolean
  /** Which calls the first node refuses, having seen what it would answer, and by which error; a transaction that it refuses it does not take. */
  refuses: (call: { method: string; params: readonly unknown[] }, result: unknown) => boolean | RpcError
  /** The call of a batch that gets no answer. */
  dropsId: number | undefined
  /** How many calls a batch may have; a longer one is refused as a whole, as geth does. */
  batchMax: number
  /** What is answered to one that is longer. */
  tooLarge: object
  /** How many were refused for that. */
  refusedBatches: number
}

/** A node's error. */
interface RpcError {
  code: number
  message: string
}

interface Call {
  id: unknown
  method: string
  params?: unknown[]
}

/** geth's answer to a batch of too many calls. */
const TOO_LARGE = { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'batch too large' } }

type Ask = (call: Pick<Call, 'method' | 'params'>) => Promise<RpcAnswer>

/** Starts the two nodes. @param rpcUrl of the chain that both show */
export async function startEvmNodePool(rpcUrl: string): Promise<EvmNodePool> {
  const ask: Ask = ({ method, params }) => jsonRpc(rpcUrl, method, params)
  const answerOne = async (call: Call, isBehind: boolean): Promise<object> => {
    const { method, params = [] } = call
    const isKept = method === 'eth_sendRawTransaction' && pool.refuses({ method, params }, undefined) !== false
    const askNode = (): Promise<RpcAnswer> => (isBehind ? askBehind(ask, pool.lagBlocks, call) : ask(call))
    const { result, error }: RpcAnswer = isKept ? {} : await askNode()
    const refused = pool.refuses({ method, params }, result)
    const refusal = refused === true ? { code: -32005, message: 'too much' } : refused || error
    const body = refusal === undefined ? { result: pool.change(method, result) } : { error: refusal }
    return { jsonrpc: '2.0', id: call.id, ...body }
  }
  const { url } = await serve((request, response) => {
    void (async () => {
      const body = JSON.parse(await text(request)) as Call | Call[]
      const calls = Array.isArray(body) ? body : [body]
      if (calls.length > pool.batchMax) {
        pool.refusedBatches += 1
        return response.end(JSON.stringify(pool.tooLarge))
      }
      const methods = calls.map(({ method }) => method)
      const isBehind = pool.isBehind(methods)
      const answers = await Promise.all(calls.map((call) => answerOne(call, isBehind)))
      if (pool.isCut(methods)) return response.destroy()
      response.setHeader('content-type', 'application/json')
      return response.end(
        JSON.stringify(Array.isArray(body) ? answers.filter((_, id) => id !== pool.dropsId) : answers[0]),
      )
    })()
  })
  const pool: EvmNodePool = {
    url,
    ...wholePool(),
    refuses: () => false,
    dropsId: undefined,
    batchMax: Infinity,
    tooLarge: TOO_LARGE,
    refusedBatches: 0,
  }
  return pool
}

/** Both nodes as far as each other. */
export function wholePool(): Pick<EvmNodePool, 'lagBlocks' | 'isBehind' | 'change' | 'isCut'> {
  return { lagBlocks: 0, isBehind: () => false, change: (_method, result) => result, isCut: () => false }
}

/** Methods whose last parameter is the block that they are asked of. */
const OF_A_BLOCK = ['eth_getBalance', 'eth_getCode', 'eth_getTransactionCount', 'eth_call', 'eth_estimateGas']

/** What the node answers that has not seen the newest blocks. */
async function askBehind(ask: Ask, lagBlocks: number, { method, params = [] }: Call): Promise<RpcAnswer> {
  const head = Math.max(hexToNumber((await ask({ method: 'eth_blockNumber' })).result as Hex) - lagBlocks, 0)
  const isAbove = (number: unknown): boolean => typeof number === 'string' && number.startsWith('0x') && hexToNumber(number as Hex) > head // prettier-ignore
  const atHead = (tag: unknown): unknown => (tag === undefined || tag === 'latest' || tag === 'pending' ? numberToHex(head) : tag) // prettier-ignore
  if (method === 'eth_blockNumber') return { result: numberToHex(head) }
  if (OF_A_BLOCK.includes(method)) {
    const at = atHead(params[1])
    if (isAbove(at)) return { error: { code: -32000, message: 'header not found' } }
    return ask({ method, params: [params[0], at] })
  }
  if (method === 'eth_getBlockByNumber') {
    const at = atHead(params[0])
    return isAbove(at) ? { result: null } : ask({ method, params: [at, params[1]] })
  }
  const answer = await ask({ method, params })
  // Up to a block that it does not have, a node gives what it has.
  if (method === 'eth_getLogs' && Array.isArray(answer.result))
    return { result: answer.result.filter(({ blockNumber }: { blockNumber: unknown }) => !isAbove(blockNumber)) }
  if (method !== 'eth_getTransactionReceipt' && method !== 'eth_getTransactionByHash') return answer
  return isAbove((answer.result as { blockNumber?: unknown } | null)?.blockNumber) ? { result: null } : answer
}
