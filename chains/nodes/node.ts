import { failureOfStatus } from '../../kernel/provider-error.js'
import {
  announceProvider,
  beginCall,
  failureOfKind,
  hostOf,
  type ProviderFailure,
} from '../../kernel/provider-health/provider-calls.js'
import { createCallBudget, type BudgetTime } from './call-budget.js'
import { exchange, TransportError, type RpcAnswer, type RpcCall } from './json-rpc.js'

/** One address of a chain's RPC. */
export interface RpcNode {
  /** Where it stands in the settings, from 1: its URL may hold a key, and is named nowhere. */
  position: number
  /** The highest block (on Solana: slot) that its answers have shown, and when last; undefined before the first. */
  head: { number: number; saidAtMs: number } | undefined
  /** Until when it is asked only where no other can be, in milliseconds. */
  restsUntil: number
  /** What it says that it is of; undefined where it was not asked. */
  identity: { text: string; checkedAt: number } | undefined
  /** One HTTP request. @throws TransportError */
  ask: (calls: readonly RpcCall[], options: { isBatch: boolean }) => Promise<RpcAnswer[]>
  /** It has to be left alone for a while. */
  rest: (reason: string, retryAfterMs?: number) => void
}

/** A node that failed rests for a second, twice as long each time that it fails again, and half a minute at most. */
const REST_MS = 1_000
const REST_MS_MAX = 30_000
/** A node that says itself how long it wants to rest gets no more than this. */
const RETRY_AFTER_MS_MAX = 60_000

/** What a node is made of. */
export interface NodeOptions {
  /** The name of its chain. */
  chain: string
  url: string
  position: number
  timeoutMs: number
  callsPerSecond: number | undefined
  time: BudgetTime
  /** Told of each rest. */
  onRest: (rest: { position: number; reason: string; restMs: number }) => void
}

/** Makes a node; nothing is sent. */
export function createNode({ chain, url, position, timeoutMs, callsPerSecond, time, onRest }: NodeOptions): RpcNode {
  const watched = { provider: 'chain', chain, host: hostOf(url) }
  announceProvider(watched)
  const mayGo = createCallBudget(callsPerSecond, time)
  let failures = 0
  const node: RpcNode = {
    position,
    head: undefined,
    restsUntil: -Infinity,
    identity: undefined,
    ask: async (calls, { isBatch }) => {
      await mayGo(calls.length)
      const end = beginCall(watched, calls.length)
      try {
        const answers = await exchange(url, calls, { isBatch, timeoutMs })
        failures = 0
        end()
        return answers
      } catch (error) {
        // It is as well as before, and takes fewer calls.
        if (error instanceof TransportError && error.isTooMany) end()
        else if (error instanceof TransportError) {
          end(failureOf(error))
          node.rest(error.message, error.retryAfterMs)
        }
        throw error
      }
    },
    rest: (reason, retryAfterMs) => {
      const now = time.nowMs()
      // What was asked before it began to rest fails too, and where all rest they are asked all the same.
      if (node.restsUntil > now) return
      const ownMs = Math.min(REST_MS * 2 ** failures, REST_MS_MAX)
      const restMs = Math.max(ownMs, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX))
      failures += 1
      node.restsUntil = now + restMs
      onRest({ position, reason, restMs })
    },
  }
  return node
}

/** What an exchange without a usable answer says of the node: a key that is not taken is something else than a machine that is down. */
function failureOf({ status, answered, kind }: TransportError): ProviderFailure {
  if (status !== undefined) return failureOfKind(failureOfStatus(status, false).kind) ?? 'unavailable'
  return answered ? 'protocol' : kind
}
