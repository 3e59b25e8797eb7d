import type { Ask, RpcCall, RpcOutcome } from './json-rpc.js'

/** Where the block is named among a call's parameters, for calls about a state: a block that is not there is an error. */
const STATE_BLOCK_AT: Readonly<Record<string, number>> = {
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_call: 1,
  eth_estimateGas: 1,
  eth_createAccessList: 1,
  eth_feeHistory: 1,
  eth_getStorageAt: 2,
  eth_getProof: 2,
}

/** Calls whose first parameter names a block, by tag, number or hash: one that is not there is `null`. */
const BLOCK_FIRST = new Set([
  'eth_getBlockByNumber',
  'eth_getBlockByHash',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByNumber',
  'eth_getBlockTransactionCountByHash',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByBlockHashAndIndex',
])

const UNKNOWN_BLOCK: RpcOutcome = { error: { code: -32000, message: 'header not found' } }

/** How far a node has come. */
interface Height {
  ask: Ask
  height: number
  /** How far it is behind the real head: `safe` and `finalized` are as far behind. */
  lag: number
}

/**
 * Answers a call as a node that is some blocks behind does: consistent at its own height, whatever it is asked for.
 * @param floor the first block that a lagging node is sure to have; it never falls below it
 */
export async function answerBehind(ask: Ask, call: RpcCall, wantedLag: number, floor: number): Promise<RpcOutcome> {
  const head = Number((await resultOf(ask, 'eth_blockNumber', [])) as string)
  const height = Math.max(Math.min(floor, head), head - wantedLag)
  const view = { ask, height, lag: head - height }
  const { method, params } = call
  if (method === 'eth_blockNumber') return { result: hex(height) }
  if (method === 'eth_getLogs') return logs(view, params)
  if (method === 'eth_getTransactionReceipt') {
    const outcome = await ask(method, params)
    return numberIn(outcome, 'blockNumber') > height ? { result: null } : outcome
  }
  if (method === 'eth_getTransactionByHash') {
    const outcome = await ask(method, params)
    return numberIn(outcome, 'blockNumber') > height ? { result: pendingView(outcome) } : outcome
  }
  const isBlock = BLOCK_FIRST.has(method)
  const at = isBlock ? 0 : STATE_BLOCK_AT[method]
  if (at === undefined) return ask(method, params)
  const block = await blockBelow(view, params[at])
  if (block === undefined) return isBlock ? { result: null } : UNKNOWN_BLOCK
  return ask(method, replaced(params, at, block))
}

/** The block as it can be asked for at the real node; undefined where the lagging one does not have it. */
async function blockBelow({ ask, height, lag }: Height, block: unknown): Promise<unknown> {
  if (block === undefined || block === null || block === 'latest' || block === 'pending') return hex(height)
  if (block === 'safe' || block === 'finalized') {
    const outcome = await ask('eth_getBlockByNumber', [block, false])
    return hex(Math.max(0, numberIn(outcome, 'number') - lag))
  }
  if (typeof block === 'object') {
    const { blockNumber, blockHash } = block as { blockNumber?: unknown; blockHash?: unknown }
    const inner = await blockBelow({ ask, height, lag }, blockHash ?? blockNumber)
    return inner === undefined ? undefined : block
  }
  if (typeof block !== 'string' || block === 'earliest') return block
  if (block.length < 66) return Number(block) > height ? undefined : block
  const outcome = await ask('eth_getBlockByHash', [block, false])
  return numberIn(outcome, 'number') > height ? undefined : block
}

/** A lagging node's logs end at its height; of a block that it does not have it says so. */
async function logs(view: Height, params: readonly unknown[]): Promise<RpcOutcome> {
  const filter = (params[0] ?? {}) as { fromBlock?: unknown; toBlock?: unknown; blockHash?: unknown }
  if (filter.blockHash !== undefined) {
    const block = await blockBelow(view, filter.blockHash)
    return block === undefined ? UNKNOWN_BLOCK : view.ask('eth_getLogs', params)
  }
  const fromBlock = await blockBelow(view, filter.fromBlock)
  if (fromBlock === undefined) return { result: [] }
  const toBlock = (await blockBelow(view, filter.toBlock)) ?? hex(view.height)
  return view.ask('eth_getLogs', [{ ...filter, fromBlock, toBlock }])
}

function pendingView(outcome: RpcOutcome): unknown {
  if ('error' in outcome) return null
  return { ...(outcome.result as object), blockHash: null, blockNumber: null, transactionIndex: null }
}

function replaced(params: readonly unknown[], at: number, value: unknown): unknown[] {
  const changed = [...params]
  // A parameter that was left out in the middle is JSON's null.
  while (changed.length < at) changed.push(null)
  changed[at] = value
  return changed
}

/** A block number in a result; -1 where there is none. */
function numberIn(outcome: RpcOutcome, field: 'number' | 'blockNumber'): number {
  if ('error' in outcome) return -1
  const value = (outcome.result as Partial<Record<typeof field, string | null>> | null)?.[field]
  return typeof value === 'string' ? Number(value) : -1
}

async function resultOf(ask: Ask, method: string, params: readonly unknown[]): Promise<unknown> {
  const outcome = await ask(method, params)
  if ('error' in outcome) throw new Error(`${method}: ${outcome.error.message}`)
  return outcome.result
}

function hex(number: number): string {
  return `0x${number.toString(16)}`
}
