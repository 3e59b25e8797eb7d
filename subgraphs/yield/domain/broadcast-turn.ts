import { setTimeout as delay } from 'node:timers/promises'
import { waitDeadline } from '../../../kernel/deadline.js'
import { AppError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { YieldDeps } from '../deps.js'

/** How long one request waits, for its turn and for the chain together. */
export interface Patience {
  /** Whether it may wait on; sooner over where the process is told to stop. */
  mayWait: () => boolean
  /** When it is over, as `performance.now()`. */
  endsAt: number
  /** When it is answered at the latest, as `performance.now()`: what it waits for may itself wait for nodes, one after the other. */
  answerAt: number
}

/** The patience of a request that begins now. @param transactions how many it sends, one after the other */
export function patienceOf(
  { broadcastTiming: { waitMs, pairWaitMs, answerMs }, isStopping }: Pick<YieldDeps, 'broadcastTiming' | 'isStopping'>,
  transactions: number,
): Patience {
  const longestMs = transactions > 1 ? pairWaitMs : waitMs
  const now = performance.now()
  return { mayWait: waitDeadline(longestMs, isStopping), endsAt: now + longestMs, answerAt: now + answerMs }
}

/**
 * The end of work, or what is known of it where the request has to be answered before: the work goes on.
 * @param known asked then
 */
export async function inTime<T>(
  { answerAt }: Pick<Patience, 'answerAt'>,
  work: Promise<T>,
  known: () => Promise<T>,
): Promise<T> {
  const answered = new AbortController()
  const late = delay(Math.max(0, answerAt - performance.now()), 'late' as const, { signal: answered.signal })
  try {
    const end = await Promise.race([work.then((value) => ({ value })), late])
    return end === 'late' ? await known() : end.value
  } finally {
    answered.abort()
    late.catch(() => undefined)
  }
}

/**
 * Begins a broadcast in its tenant's turn.
 * @param steps.withoutTurn what is answered where the turn does not come: too many wait, the request's patience is over, or the
 *   process ends. Nothing was begun then, and nothing will be
 */
export async function inTurn<T>(
  deps: Pick<YieldDeps, 'broadcastQueue' | 'isStopping'>,
  tenant: Tenant,
  patience: Patience,
  steps: { begin: () => Promise<T>; withoutTurn: () => Promise<T> },
): Promise<T> {
  const turn = { hasCome: false }
  const begin = async (): Promise<T> => {
    if (deps.isStopping() || !patience.mayWait()) throw new AppError('too_many_operations')
    turn.hasCome = true
    return steps.begin()
  }
  try {
    return await deps.broadcastQueue.run(tenant.id, begin, Math.max(0, patience.endsAt - performance.now()))
  } catch (error) {
    if (turn.hasCome) throw error
  }
  return steps.withoutTurn()
}
