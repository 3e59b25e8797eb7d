import type { RpcAnswer, RpcCall, RpcError } from '../nodes/json-rpc.js'
import type { DoubtRule, NodeRules } from '../nodes/rules.js'

/** A node has not seen the slot that a call wants it to have seen. */
export const MIN_SLOT_NOT_REACHED = -32016
/** Codes by which a node says that it cannot tell now (Agave: custom_error.rs): behind, no snapshot, slot not reached. */
export const NOT_NOW_CODES: ReadonlySet<number> = new Set([-32005, -32014, MIN_SLOT_NOT_REACHED, -32004, 429])

/** Agave's codes (rpc-client-api: custom_error.rs), and JSON-RPC's for bytes that are no transaction. */
export const PREFLIGHT_FAILURE = -32002
export const BAD_SIGNATURE = -32003
const INVALID_PARAMS = -32602

/**
 * Whether an error that answers a send proves that the node has sent nothing: it was not ready, could not read the bytes, or tried
 * the transaction and says what that failed by. Gateways say "Internal error", and also less of -32002, for a node that took the
 * transaction and did not answer in time.
 */
export function provesUnsent({ code, data }: Pick<RpcError, 'code' | 'data'>): boolean {
  if (code === PREFLIGHT_FAILURE) return ((data as { err?: unknown } | null | undefined)?.err ?? null) !== null
  return NOT_NOW_CODES.has(code) || code === BAD_SIGNATURE || code === INVALID_PARAMS
}

interface Statuses {
  context: { slot: number }
  value: readonly unknown[]
}

/** One that either node knows is known; the two are as far together as the one that is less far. */
const STATUSES: DoubtRule = {
  isNo: (result) => (result as Statuses).value.includes(null),
  merge: (one, other) => {
    const [{ context, value }, second] = [one as Statuses, other as Statuses]
    const slot = Math.min(context.slot, second.context.slot)
    return { context: { ...context, slot }, value: value.map((status, index) => status ?? second.value[index] ?? null) }
  },
}
const MISSING: DoubtRule = { isNo: (result) => result === null, merge: (one) => one }
const FOUND_BY_ADDRESS: DoubtRule = {
  isNo: () => true,
  merge: (one, other) => {
    const known = new Map([...(other as Found[]), ...(one as Found[])].map((found) => [found.signature, found]))
    return [...known.values()].toSorted((left, right) => right.slot - left.slot)
  },
}
interface Found {
  signature: string
  slot: number
}

/** A node that is behind does not know a fresh blockhash yet. */
const BLOCKHASH: DoubtRule = {
  isNo: (result) => !(result as { value: boolean }).value,
  merge: (one) => one,
}
const DOUBTS: Readonly<Record<string, DoubtRule>> = {
  getSignatureStatuses: STATUSES,
  getSignaturesForAddress: FOUND_BY_ADDRESS,
  getTransaction: MISSING,
  isBlockhashValid: BLOCKHASH,
}

/** What calls to Solana nodes mean. Their heads are slots, as their answers' context tells them. */
export const solanaNodeRules: NodeRules = {
  identityCall: { method: 'getGenesisHash', params: [] },
  isSend: ({ method }) => method === 'sendTransaction',
  isAlreadyKnown: ({ message, data }) =>
    (data as { err?: unknown } | null | undefined)?.err === 'AlreadyProcessed' ||
    /already been processed/i.test(message),
  provesUnsent,
  doubtOf,
  headCall: undefined,
  headIn,
  neededHead: () => undefined,
  isNotNow: (_call, answer) => 'error' in answer && NOT_NOW_CODES.has(answer.error.code),
  isLimit: ({ code }: RpcError) => code === 429,
}

/** A search that has to be as far as a slot is a proof: what it does not find may be signed again. */
function doubtOf({ method, params }: RpcCall): DoubtRule | undefined {
  const isProof = method === 'getSignaturesForAddress' && isSince(params[1])
  return isProof ? { ...FOUND_BY_ADDRESS, isDecisive: true } : DOUBTS[method]
}

function isSince(search: unknown): boolean {
  return typeof search === 'object' && search !== null && 'minContextSlot' in search
}

/** Only statuses and blockhashes are of the newest slot that a node has; other answers are of what is confirmed or final. */
function headIn({ method }: RpcCall, answer: RpcAnswer): number | undefined {
  if (method !== 'getSignatureStatuses' || 'error' in answer) return undefined
  return (answer.result as Partial<Statuses> | null)?.context?.slot
}
