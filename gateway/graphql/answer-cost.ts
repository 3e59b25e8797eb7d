import type { RateVerdict } from '../rate-limit/rate-headers.js'
import { weightOf, type QueryMeasure } from './measure-query.js'

/** What an answer tells of its cost, in requests of its key's minute. */
export interface AnswerCost {
  /** What was counted against the key's rate before it ran. */
  requested: number
  /** What it would have counted by what its answer holds. */
  actual: number
  /** What the key has for a minute, and what is left of it; null where no rate is set. */
  limit: number | null
  remaining: number | null
}

/** What an operation was measured to be. */
export type Measured = Pick<QueryMeasure, 'weight' | 'fields' | 'rootKeys'>

/** What was counted for a request. */
export interface Counted {
  /** The last verdict on its key's rate. */
  rate: RateVerdict | undefined
  /** What its document counted because it had to be validated. */
  documentWeight: number
}

/**
 * The cost of an answer.
 * @param measured absent where nothing was run
 */
export function answerCost({ rate, documentWeight }: Counted, measured?: Measured, data?: unknown): AnswerCost {
  const { limit = 0, remaining = 0 } = rate ?? {}
  const actual = measured ? weightOf({ ...sizeOf(data), fields: measured.fields }, measured.rootKeys.size) : 1
  return {
    requested: (measured?.weight ?? 1) + documentWeight,
    actual: actual + documentWeight,
    limit: limit === 0 ? null : limit,
    remaining: limit === 0 ? null : remaining,
  }
}

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
