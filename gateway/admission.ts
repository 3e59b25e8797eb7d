import { OperationTypeNode } from 'graphql'
import { yieldQueue } from '../kernel/yielding.js'
import type { Authentication } from './authentication/authenticate.js'
import type { PromiseOrValue } from '../kernel/promise-or-value.js'
import type { RateVerdict } from './rate-limit/rate-headers.js'
import type { RequestContext } from '../kernel/subgraph.js'
import { tenantQueue, type QueueLimits, type TenantQueue } from '../kernel/tenant-queue.js'

/** Answers that take about so many milliseconds or more yield to other requests while they are made. */
const YIELDS_FROM_WEIGHT = 5

/**
 * Small reads of one tenant: more of them at once would gain nothing, and delay the reads of other tenants. Each subgraph is a lane: where
 * one hangs its reads pile up, and those that did not begin are then told what those are told that did; a lane has 24 of the slots at most,
 * and one always, so that reads of another subgraph do not wait for it. So many wait that a pause of some seconds refuses nothing to a
 * tenant with many keys.
 */
const SMALL_READS = {
  running: 24,
  waiting: 5_000,
  ofAll: { running: 32, waiting: 10_000 },
  refusal: 'provider_timeout',
} as const
/**
 * Reads of some milliseconds: of a tenant as many at once as make their look-ups go together, and as few as others hardly wait for. They
 * have lanes likewise.
 */
const SHORT_READS = {
  running: 16,
  waiting: 100,
  ofAll: { running: 20, waiting: 200 },
  late: 'provider_timeout',
} as const
/** As long as a subgraph in another process has to answer a read. Whoever asked has gone away by then. */
const READ_WAIT_MS = 30_000

/**
 * What is large and has not begun by then is refused: with the minute that it may take, its connection is kept no longer than that (`http.ts`),
 * and a mutation would be done that its client was told nothing of.
 */
const LARGE_WAIT_MS = 60_000

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
   * Counts what an event of a stream is worth beyond one: it comes by itself, so no request was counted for it, and
   * requests are left a part of the rate that events do not take.
   * @returns what is left, also where there is nothing to count
   */
  chargeEvent: (keyHash: string, weight: number) => RateVerdict | Promise<RateVerdict>
  /**
   * Runs an operation as soon as its tenant has a free slot, at once where there is one. Small mutations need none: some of them wait for a chain.
   * @throws too_many_operations where it is no small read and the tenant's queue is full, or it is large and has waited for a minute, and provider_timeout where it is a read that has waited
   *   for 30 seconds, or a small one, and too many of the tenant's wait in its lane
   */
  run: <T>(
    operation: Weighed,
    context: RequestContext,
    work: (context: RequestContext) => PromiseOrValue<T>,
  ) => PromiseOrValue<T>
}

/** An operation by what it takes. */
export interface Weighed {
  kind: OperationTypeNode
  weight: number
  /** What its tenant's small reads wait for each other by: the subgraph that answers it. Asked for nothing else. */
  lane: () => string
  /** Whether its document was planned already, or is small: to plan one is long work. Asked for short reads. */
  isPlanned: () => boolean
}

/** @param rates where what operations and events are worth is counted */
export function createAdmission(rates: Pick<Authentication, 'charge' | 'chargeEvent'>): Admission {
  const large = tenantQueue()
  const short = readsInLanes(SHORT_READS)
  const nextSlot = yieldQueue()
  const small = readsInLanes(SMALL_READS)
  const runLarger: Admission['run'] = async ({ kind, weight, lane, isPlanned }, context, work) => {
    const { tenantId } = context.caller
    const isShort = weight < YIELDS_FROM_WEIGHT
    if (isShort && kind === OperationTypeNode.QUERY) {
      if (!isPlanned()) await nextSlot()
      return short(tenantId, lane(), () => work(context))
    }
    const paced = isShort ? context : { ...context, yieldsToOthers: true }
    const begin = async () => {
      // What is large may have to be planned first, at one go.
      await nextSlot()
      return work(paced)
    }
    return large.run(tenantId, begin, LARGE_WAIT_MS)
  }
  return {
    nextSlot,
    charge: (keyHash, weight) => (weight <= 1 ? undefined : rates.charge(keyHash, weight - 1)),
    chargeEvent: (keyHash, weight) => rates.chargeEvent(keyHash, weight - 1),
    run: (operation, context, work) => {
      const { kind, weight, lane } = operation
      if (weight > 1) return runLarger(operation, context, work)
      return kind === OperationTypeNode.QUERY
        ? small(context.caller.tenantId, lane(), () => work(context))
        : work(context)
    },
  }
}

/** So many tenants keep their lanes while nothing of theirs runs: making them takes longer than a short read's own steps through them. */
const LANES_KEPT_MAX = 1_000

/** Runs reads, each tenant's in the lanes of a queue of its own. */
function readsInLanes(
  limits: QueueLimits,
): <T>(tenantId: string | null, lane: string, work: () => PromiseOrValue<T>) => PromiseOrValue<T> {
  const tenants = new Map<string | null, TenantQueue>()
  const newLanes = (tenantId: string | null): TenantQueue => {
    if (tenants.size >= LANES_KEPT_MAX) for (const [id, { size }] of tenants) if (size === 0) tenants.delete(id)
    const made = tenantQueue(limits)
    tenants.set(tenantId, made)
    return made
  }
  return (tenantId, lane, work) => (tenants.get(tenantId) ?? newLanes(tenantId)).run(lane, work, READ_WAIT_MS)
}
