import type { RpcAnswer, RpcCall, RpcError } from './json-rpc.js'

/**
 * A call whose answer may say "no", which one node that is behind, or has forgotten, says wrongly: no receipt, no such
 * transaction, so many nonces and not more.
 */
export interface DoubtRule {
  /** Whether a result says no, or says it in a part. */
  isNo: (result: unknown) => boolean
  /** What two results say together: each may know what the other does not. */
  merge: (one: unknown, other: unknown) => unknown
  /** Whether such a "no" may end something. Then a node that has just fallen silent is waited for, and not passed over. */
  isDecisive?: boolean
}

/** What a family of chains tells the nodes' pool about its calls. */
export interface NodeRules {
  /** Asks a node which chain it is of; the answer is compared as a text. */
  identityCall: RpcCall
  /** Whether a call hands a signed transaction in: it goes to all nodes. */
  isSend: (call: RpcCall) => boolean
  /** Whether a refusal of such a call says that the node has the transaction already. */
  isAlreadyKnown: (error: RpcError) => boolean
  /** Whether a refusal of such a call proves that the node has not passed the transaction on: it is nobody's then. */
  provesUnsent: (error: RpcError) => boolean
  /** Undefined for calls whose answer of any node will do. */
  doubtOf: (call: RpcCall) => DoubtRule | undefined
  /** Asked in one batch before a call of which "no" may be said; undefined where its answer has the height in it. */
  headCall: RpcCall | undefined
  /** How far a node is that gives this answer; undefined where the answer does not tell. */
  headIn: (call: RpcCall, answer: RpcAnswer) => number | undefined
  /** The block that a node has to have to answer a call; undefined for the newest. */
  neededHead: (call: RpcCall) => number | undefined
  /** Whether an answer only says that this node cannot tell: it is behind, or was asked too often. */
  isNotNow: (call: RpcCall, answer: RpcAnswer) => boolean
  /** Whether a node asks to be left alone by such an answer. */
  isLimit: (error: RpcError) => boolean
}
