import type { QueryResultRow } from 'pg'
import type { Clock } from '../../../../kernel/clock.js'
import { run, type Database, type Queryable } from '../../../../kernel/database.js'
import { traceparent } from '../../../../kernel/tracing.js'
import { PASS_EVENTS } from './pass-events.sql.js'
import type { AttemptFailure, DeliveryState, DueDelivery } from './webhook.entity.js'
import {
  ADVANCE,
  CLAIM,
  FIND_AT,
  FORGET,
  GIVE_BACK,
  OPEN,
  PUBLISH_EVENT,
  RESCHEDULE,
  RESCHEDULE_ATTEMPT,
  RECORD,
  RELEASE,
  RESUME,
  STORE,
  type DeliveryRow,
  type OpenedRow,
  WAIT_FOR_LEASE,
} from './webhook-queue.sql.js'

/** How long the first attempts of a resource, or a later attempt, belong to one worker; above any attempt's time. */
export const LEASE_MS = 30_000

/** A delivery without a job counts as forgotten when its attempt is due for this long: its worker died. */
const OVERDUE_MS = 60_000

/** What came of an attempt, and what follows from it. */
export interface AttemptOutcome {
  attemptedAt: Date
  durationMs: number
  httpStatus: number | null
  failure: AttemptFailure | null
  /** The excerpt of the answer, sealed. */
  sealedResponse: string | null
  state: DeliveryState
  failures: number
  nextAttemptAt: Date | null
}

/** The payload of the job `retry-webhook`: the attempt that follows `attemptCount` others. */
export interface RetryWebhook {
  tenantId: string
  deliveryId: string
  attemptCount: number
}

/** A job that makes an attempt, as the queue takes it. */
export interface AttemptJob<Payload extends RetryWebhook> {
  name: string
  payload: Payload
  key: string
}

/** What identifies an event. */
export type EventKey = Pick<DueDelivery, 'tenantId' | 'source' | 'resourceId' | 'sequence'>

/** Under which an event's job waits for a slot, or for a worker to take up what another has left. */
export function eventJobKey({ tenantId, source, resourceId, sequence }: EventKey): string {
  return [PUBLISH_EVENT, tenantId, source, resourceId, sequence].join(':')
}

/** What is known of an event that is to be passed. */
interface FoundAt {
  delivery: DueDelivery | undefined
  hasEndpoints: boolean
}

interface FoundRow extends QueryResultRow {
  delivery: DeliveryRow | null
  hasEndpoints: boolean
}

export type WebhookQueue = ReturnType<typeof webhookQueue>

/** The statements that move deliveries. All but `store` are one round trip and one commit. */
export function webhookQueue({ pool }: Database, clock: Clock) {
  const times: Times = {
    now: () => clock.now().toISOString(),
    leaseEnd: () => new Date(clock.now().getTime() + LEASE_MS).toISOString(),
    overdue: () => new Date(clock.now().getTime() - OVERDUE_MS).toISOString(),
  }
  return { ...leases(pool, times), ...claims(pool, times), ...attempts(pool, clock, times) }
}

interface Times {
  now: () => string
  leaseEnd: () => string
  overdue: () => string
}

/** The leases of resources: the first attempts of their events, in order. */
function leases(pool: Queryable, { now, leaseEnd }: Times) {
  const findAt = async ({ tenantId, source, resourceId, sequence }: EventKey): Promise<FoundAt> => {
    const [row] = await run<FoundRow>(pool, FIND_AT, [tenantId, source, resourceId, sequence])
    if (!row) throw new Error('what is known of an event was not returned')
    return { hasEndpoints: row.hasEndpoints, delivery: row.delivery ? fromRow(row.delivery) : undefined }
  }
  return {
    /** The delivery of an event to the contract's address, if it is stored, and whether the tenant has endpoints. */
    findAt,

    /**
     * Notes that the event is wanted, stores its delivery if there is one, and takes the resource if nobody has it.
     * @returns whether `holder` has the resource now, up to which event first attempts were made, and whether this call
     *   has stored the delivery
     */
    async open(event: EventKey, holder: string, delivery: DueDelivery | undefined): Promise<OpenedRow> {
      const { tenantId, source, resourceId, sequence } = event
      const key = [tenantId, source, resourceId, sequence]
      const values = [...key, holder, now(), leaseEnd(), ...contentsOf(delivery)]
      const [row] = await run<OpenedRow>(pool, OPEN, values)
      if (!row) throw new Error('the state of a resource was not returned')
      return row
    },

    /** The delivery of an event, stored now unless it was before. */
    async store(delivery: DueDelivery): Promise<DueDelivery> {
      const { tenantId, source, resourceId, sequence } = delivery
      await run(pool, STORE, [tenantId, source, resourceId, sequence, ...contentsOf(delivery)])
      const { delivery: stored } = await findAt(delivery)
      if (!stored) throw new Error('a delivery that was just stored was not found')
      return stored
    },

    /**
     * Passes an event without a delivery.
     * @returns up to which event first attempts are wanted, or undefined where another has taken the resource over
     */
    async advance(event: EventKey, holder: string): Promise<number | undefined> {
      const { tenantId, source, resourceId, sequence } = event
      const values = [tenantId, source, resourceId, sequence, holder, leaseEnd()]
      const [row] = await run<{ wanted: number }>(pool, ADVANCE, values)
      return row?.wanted
    },

    /**
     * Passes those of many events of which nobody is told; each of the others gets its job. The resources of the events name
     * no address themselves. @returns how many got theirs
     */
    async passEvents(events: readonly EventKey[]): Promise<number> {
      const [row] = await run<{ handedOn: number }>(pool, PASS_EVENTS, [JSON.stringify(events), traceparent() ?? null])
      return row?.handedOn ?? 0
    },

    /** Lets others have the resource after a failure of ours; the lease ends now, so that `resume` sees it. */
    async release({ tenantId, source, resourceId }: EventKey, holder: string): Promise<void> {
      await run(pool, RELEASE, [tenantId, source, resourceId, holder, now()])
    },
  }
}

/** Whose a later attempt is. */
function claims(pool: Queryable, { now }: Times) {
  return {
    /**
     * The delivery for its next attempt; undefined where that was made, is being made, or is not to come any more.
     * @param leasedUntil until when it is the caller's
     */
    async claim(retry: RetryWebhook, leasedUntil: Date): Promise<DueDelivery | undefined> {
      const { tenantId, deliveryId, attemptCount } = retry
      const values = [tenantId, deliveryId, attemptCount, now(), leasedUntil.toISOString()]
      const [row] = await run<DeliveryRow>(pool, CLAIM, values)
      return row && fromRow(row)
    },

    /** Lets others have a delivery after a failure of ours, if the claim of ours came through. */
    async giveBack({ tenantId, deliveryId }: RetryWebhook, leasedUntil: Date): Promise<void> {
      await run(pool, GIVE_BACK, [tenantId, deliveryId, leasedUntil.toISOString()])
    },

    /** Has the job of an attempt come again when the lease on it ends; none where nobody has it, or it was made. */
    async waitForLease({ name, payload, key }: AttemptJob<RetryWebhook>, shortestMs: number): Promise<void> {
      const { tenantId, deliveryId, attemptCount } = payload
      const values = [tenantId, deliveryId, attemptCount, now(), name, JSON.stringify(payload), key, shortestMs]
      await run(pool, WAIT_FOR_LEASE, values)
    },

    /** Has the job of an attempt that found no slot come again in so many milliseconds; none where the attempt was made. */
    async rescheduleAttempt({ name, payload, key }: AttemptJob<RetryWebhook>, inMs: number): Promise<void> {
      const { tenantId, deliveryId, attemptCount } = payload
      const values = [tenantId, deliveryId, attemptCount, name, JSON.stringify(payload), key, inMs]
      await run(pool, RESCHEDULE_ATTEMPT, values)
    },
  }
}

/** What was tried, and what is to be tried again. */
function attempts(pool: Queryable, clock: Clock, { now, leaseEnd, overdue }: Times) {
  return {
    /**
     * Records an attempt, unless another worker has recorded that same attempt before, with the job of the next one and
     * the state of the endpoint; for a first attempt (`holder` given) also that the resource has come this far.
     * @returns up to which event first attempts are wanted; undefined where the resource is not `holder`'s
     */
    async record(delivery: DueDelivery, outcome: AttemptOutcome, holder: string | null): Promise<number | undefined> {
      const { source, resourceId, sequence } = delivery
      const first = [holder, source, resourceId, sequence, leaseEnd()]
      const values = [...attemptValues(delivery, outcome, clock), ...first]
      const [row] = await run<{ wanted: number | null }>(pool, RECORD, values)
      return row?.wanted ?? undefined
    },

    /** Adds the jobs of a batch of resources and deliveries that were left behind and have none. @returns how many */
    async resume(): Promise<{ resources: number; deliveries: number }> {
      const [row] = await run<{ resources: number; deliveries: number }>(pool, RESUME, [now(), overdue()])
      return row ?? { resources: 0, deliveries: 0 }
    },

    /** Adds an event's job that found no slot again, due in so many milliseconds. */
    async reschedule(
      { name, payload, key }: { name: string; payload: object; key: string },
      inMs: number,
    ): Promise<void> {
      await run(pool, RESCHEDULE, [name, JSON.stringify(payload), inMs, key])
    },

    /** Removes the deliveries of a resource, with all that they told. */
    async forget({ tenantId, source, resourceId }: Omit<EventKey, 'sequence'>): Promise<void> {
      await run(pool, FORGET, [tenantId, source, resourceId])
    },
  }
}

/** What an attempt is recorded with: $1 to $14 of the statements that do. */
export function attemptValues(delivery: DueDelivery, outcome: AttemptOutcome, clock: Clock): unknown[] {
  const { nextAttemptAt } = outcome
  return [
    delivery.tenantId,
    delivery.id,
    delivery.attemptCount,
    outcome.state,
    outcome.failures,
    nextAttemptAt?.toISOString() ?? null,
    // Jobs are timed by the database's clock, which no test moves.
    nextAttemptAt && new Date(nextAttemptAt.getTime() - clock.aheadMs()).toISOString(),
    outcome.attemptedAt.toISOString(),
    outcome.httpStatus,
    outcome.failure,
    outcome.durationMs,
    clock.now().toISOString(),
    outcome.sealedResponse,
    delivery.startedAt.toISOString(),
  ]
}

function contentsOf(delivery: DueDelivery | undefined): unknown[] {
  if (!delivery) return [null, null, null, null, null, null]
  const { id, type, url, publicClientId, body, startedAt } = delivery
  return [id, type, url, publicClientId, body, startedAt.toISOString()]
}

function fromRow(row: DeliveryRow): DueDelivery {
  return { ...row, startedAt: new Date(row.startedAt) }
}
