import { OperationTypeNode } from 'graphql'
import { yieldQueue } from '../kernel/yielding.js'
import type { RateVerdict } from './rate-limit/rate-headers.js'
import type { RequestContext } from '../kernel/subgraph.js'
import { tenantQueue } from '../kernel/tenant-queue.js'

/** Answers that take about so many milliseconds or more yield to other requests while they are made. */
const YIELDS_FROM_WEIGHT = 5

/** Small reads of one tenant that run at once: more would gain nothing, and delay the reads of other tenants. */
const SMALL_READS_MAX = 32

/** What an operation has to pass by its weight before it runs. */
export interface Admission {
  /** Resolves when long work may begin that is done at one go: validating and planning wait for each other. */
  nextSlot: () => Promise<void>
  /**
   * Counts what an operation is worth beyond the one request that was counted when it came.
   * @returns undefined where there is nothing to count
   */
  charge: (keyHash: string, weight: number) => RateVerdict | undefined | Promise<RateVerdict>
  /**
   * Runs an operation as soon as its tenant has a free slot. Small mutations need none: some of them wait for a chain.
   * @throws too_many_operations where it is large, and the tenant's queue is full
   */
  run: <T>(operation: Weighed, context: RequestContext, work: (context: RequestContext) => Promise<T>) => Promise<T>
}

/** An operation by what it takes. */
export interface Weighed {
  kind: OperationTypeNode
  weight: number
}

/** @param charge counts further requests of a key */
export function createAdmission(
  charge: (keyHash: string, count: number) => RateVerdict | Promise<RateVerdict>,
): Admission {
  const large = tenantQueue()
  const nextSlot = yieldQueue()
  const small = tenantQueue({ running: SMALL_READS_MAX, waiting: Infinity })
  return {
    nextSlot,
    charge: (keyHash, weight) => (weight <= 1 ? undefined : charge(keyHash, weight - 1)),
    run: ({ kind, weight }, context, work) => {
      const { tenantId } = context.caller
      if (weight <= 1)
        return kind === OperationTypeNode.QUERY ? small.run(tenantId, () => work(context)) : work(context)
      const paced = weight < YIELDS_FROM_WEIGHT ? context : { ...context, yieldsToOthers: true }
      return large.run(tenantId, async () => {
        // What is large may have to be planned first, at one go.
        await nextSlot()
        return work(paced)
      })
    },
  }
}
