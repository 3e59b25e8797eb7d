import type { RateVerdict } from '../rate-limit/rate-headers.js'
import { weightOf, type QueryMeasure } from './measure-query.js'

/** What an answer tells of its cost, in requests of its key's minute. */
export interface AnswerCost {
  /** What was counted against the key's rate before it ran; of what was refused, what it would have counted. */
  requested: number
  /** What it would have counted by what its answer holds; of what was refused, what it has counted. */
  actual: number
  /** What the key has for a minute, and what is left of it; null where no rate is set. */
  limit: number | null
  remaining: number | null
}

/** What an operation was measured to be. */
export type Measured = Pick<QueryMeasure, 'weight' | 'fields' | 'conditions' | 'rootKeys'>

/** A request, as far as its key's rate knows it. */
export interface Charged {
  /** The last verdict on the rate. */
  rate?: RateVerdict | undefined
  /** How many requests were counted for it, before its operation was; none where the rate refused it as it came. */
  counted?: number | undefined
}

/** The cost of an answer to what was run. */
export function answerCost({ rate, counted = 1 }: Charged, measured: Measured, data: unknown): AnswerCost {
  const besides = counted - 1
  const { fields, conditions } = measured
  const held = weightOf({ ...sizeOf(data), fields, conditions }, measured.rootKeys.size)
  return { requested: besides + measured.weight, actual: besides + held, ...leftBy(rate) }
}

/**
 * The cost of an answer to what was not run.
 * @param weight what its operation would have counted, as far as that is known
 */
export function refusalCost({ rate, counted = 0 }: Charged, weight = 1): AnswerCost {
  // A document can be so large that its size is no number of JSON.
  const requested = Math.min(Math.max(counted, 1) - 1 + weight, Number.MAX_SAFE_INTEGER)
  return { requested, actual: counted, ...leftBy(rate) }
}

/** The cost of an event that comes by itself: as nobody has asked for it, it counts one less than a query for the same. */
export function eventCost(rate: RateVerdict | undefined, measured: Measured, data: unknown): AnswerCost {
  const { requested, actual, ...left } = answerCost({ rate }, measured, data)
  return { requested: requested - 1, actual: actual - 1, ...left }
}

function leftBy({ limit, remaining }: RateVerdict = NO_RATE): Pick<AnswerCost, 'limit' | 'remaining'> {
  return limit === 0 ? { limit: null, remaining: null } : { limit, remaining }
}

const NO_RATE: RateVerdict = { allowed: true, limit: 0, remaining: 0, resetSeconds: 0 }

/** The objects and the values of an answer; the root is no object. */
function sizeOf(data: unknown): { objects: number; values: number } {
  const size = { objects: 0, values: 0 }
  const add = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) size.values += 1
    else if (Array.isArray(value)) value.forEach(add)
    else {
      size.objects += 1
      for (const name in value) add((value as Record<string, unknown>)[name])
    }
  }
  for (const value of Object.values(data ?? {})) add(value)
  return size
}
