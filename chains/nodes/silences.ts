import type { RpcNode } from './node.js'

/** Which nodes have left questions without an answer to which two have to say "no". */
export interface Silences {
  /** It gave none: it is away, takes no more calls, or rests. */
  noteSilent: (node: RpcNode, method: string) => void
  noteAnswer: (node: RpcNode, method: string) => void
  /** Whether one of them is to be waited for: its silence is too short for others to go on without it. */
  isAnyAwaited: (method: string) => boolean
}

/** So long a silent node is waited for. A second address must not stop a chain for longer. */
const SILENCE_MS = 60_000
/** Of a node that was asked nothing for so long it is not known that it was silent all the time. */
const UNASKED_MS = 10 * 60_000

/**
 * Notes by the question, and not by the node alone, how long there was no answer: one that answers all but searches, say, is silent for
 * those who search.
 */
export function createSilences(nowMs: () => number): Silences {
  const silences = new Map<string, { sinceMs: number; lastMs: number }>()
  const keyOf = (node: RpcNode, method: string): string => `${node.position} ${method}`
  return {
    noteSilent: (node, method) => {
      const [key, now] = [keyOf(node, method), nowMs()]
      const known = silences.get(key)
      const isOn = known !== undefined && now - known.lastMs < UNASKED_MS
      silences.set(key, { sinceMs: isOn ? known.sinceMs : now, lastMs: now })
    },
    noteAnswer: (node, method) => {
      silences.delete(keyOf(node, method))
    },
    isAnyAwaited: (method) =>
      [...silences].some(([key, { sinceMs }]) => key.endsWith(` ${method}`) && nowMs() - sinceMs < SILENCE_MS),
  }
}
