import { hexToBigInt, hexToNumber, isHex, numberToHex } from 'viem'
import type { RpcAnswer, RpcCall, RpcError } from '../nodes/json-rpc.js'
import type { DoubtRule, NodeRules } from '../nodes/rules.js'

/**
 * geth: "already known", once "known transaction: <hash>"; anvil: "transaction already imported"; Erigon: "already known"; Nethermind:
 * "AlreadyKnown". An "unknown transaction type" is none of these.
 */
export const ALREADY_SENT = /already ?known|already imported|\bknown transaction/i

/** Error codes by which hosted nodes say "too many requests" in JSON-RPC: not a verdict on the call. */
export const LIMIT_CODES: ReadonlySet<number> = new Set([-32005, -32007, -32097, 429])

/** A state or a block that this node does not have: geth says "header not found", Erigon and Nethermind "unknown block". */
const NOT_HERE = /header not found|unknown block|block .*not found|missing trie node|state .*not available/i

/** The tag of the newest block that is final. */
export const FINALIZED = 'finalized'

/** Where a call names its block among its parameters. */
const BLOCK_AT: Readonly<Record<string, number>> = {
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_call: 1,
  eth_estimateGas: 1,
  eth_getBlockByNumber: 0,
  eth_getBlockReceipts: 0,
}

/** What is a number wherever a node has anything to say: one that answers `null` cannot tell now. */
const COUNTED: readonly string[] = ['eth_blockNumber', 'eth_getBalance', 'eth_getTransactionCount']

/** Whether an answer says nothing where there is a number: no verdict, and nothing to reckon with. */
export function lacksNumber(method: string, answer: RpcAnswer): boolean {
  return 'result' in answer && answer.result === null && COUNTED.includes(method)
}

const MISSING: DoubtRule = { isNo: (result) => result === null, merge: (one) => one }
/** A node that is behind counts too few: the higher count holds. */
const COUNT: DoubtRule = {
  isNo: () => true,
  merge: (one, other) => (isHex(one) && isHex(other) && hexToBigInt(one) < hexToBigInt(other) ? other : one),
}
const DOUBTS: Readonly<Record<string, DoubtRule>> = {
  eth_getTransactionReceipt: MISSING,
  eth_getTransactionByHash: MISSING,
  eth_getTransactionCount: COUNT,
}

/**
 * What a gateway says where the node behind it took the transaction and did not answer in time. A payer who was told that it is refused
 * would sign another, and that one gets the next nonce where the first one is known after all: both would land.
 */
const NO_VERDICT =
  /internal (server )?error|unknown error|time(d )?[- ]?out|deadline exceeded|unavailable|bad gateway|upstream|connection|socket|fetch failed|: EOF$/i

/**
 * What nodes that pass transactions on say of an answer that they could not read (op-reth's SequencerClientError, gateways in JavaScript):
 * the one behind them has the transaction all the same.
 */
const UNREADABLE = /decoding response|deserializ|expected value|unexpected (token|end of)|TypeError/i

/** JSON-RPC's code for a failure of the server's own. Some nodes refuse by it too (reth), and say then what is wrong about the transaction. */
const INTERNAL_ERROR = -32603
const OF_TRANSACTION =
  /nonce|gas|fee|price|funds|balance|value|exceed|oversize|too (large|big|many)|type|signature|sender|signer|chain ?id|rlp|decod|revert|known|imported|pool/i

/** Whether an error that answers a send leaves open whether the node has taken the transaction, or ever will. */
export function isNoVerdict({ code, message }: Pick<RpcError, 'code' | 'message'>): boolean {
  if (NO_VERDICT.test(message) || UNREADABLE.test(message)) return true
  return code === INTERNAL_ERROR && !OF_TRANSACTION.test(message)
}

/** What calls to EVM nodes mean. */
export const evmNodeRules: NodeRules = {
  identityCall: { method: 'eth_chainId', params: [] },
  isSend: ({ method }) => method === 'eth_sendRawTransaction',
  isAlreadyKnown: ({ message }) => ALREADY_SENT.test(message),
  provesUnsent: (error) => !isNoVerdict(error),
  doubtOf: (call) => (neededHead(call) === undefined ? DOUBTS[call.method] : undefined),
  headCall: { method: 'eth_blockNumber', params: [] },
  headIn,
  neededHead,
  isNotNow: (call, answer) => {
    // One that does not tell which block is final is followed by one that may.
    if (call.params[0] === FINALIZED) return 'error' in answer || answer.result === null
    if ('error' in answer) return isLimit(answer.error) || NOT_HERE.test(answer.error.message)
    if (call.method === 'eth_call' && !isOfWords(answer.result)) return true
    return lacksNumber(call.method, answer) || (answer.result === null && neededHead(call) !== undefined)
  },
  isLimit,
}

/** The chain id as a node tells it. */
export function evmIdentity(chainId: number): string {
  return numberToHex(chainId)
}

const WORD_DIGITS = 64

/** Whether a contract's function may have returned it; a node that is behind the contract's code runs nothing, and returns nothing. */
function isOfWords(result: unknown): boolean {
  return isHex(result) && result.length > 2 && (result.length - 2) % WORD_DIGITS === 0
}

function isLimit({ code }: RpcError): boolean {
  return LIMIT_CODES.has(code)
}

function neededHead({ method, params }: RpcCall): number | undefined {
  const at = BLOCK_AT[method]
  const block = at === undefined ? undefined : params[at]
  return isHex(block) && block.length < 66 ? hexToNumber(block) : undefined
}

function headIn({ method, params }: RpcCall, answer: RpcAnswer): number | undefined {
  const result = 'result' in answer ? answer.result : undefined
  if (method === 'eth_blockNumber') return numberIn(result)
  if (method === 'eth_getBlockByNumber' && params[0] !== 'pending') {
    return numberIn((result as { number?: unknown } | null | undefined)?.number)
  }
  if (method !== 'eth_getTransactionReceipt') return undefined
  return numberIn((result as { blockNumber?: unknown } | null | undefined)?.blockNumber)
}

function numberIn(value: unknown): number | undefined {
  return isHex(value) ? hexToNumber(value) : undefined
}
