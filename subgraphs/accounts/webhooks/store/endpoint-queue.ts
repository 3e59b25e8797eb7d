import type { Clock } from '../../../../kernel/clock.js'
import { withTimes, type RowOf } from '../../../../kernel/columns.js'
import { run, type Database } from '../../../../kernel/database.js'
import type { IdSource } from '../../../../kernel/ids.js'
import {
  CLAIM_AGAIN,
  CLAIM_FIRST,
  END_IF_OFF,
  END_SOME,
  FAN_OUT,
  GIVE_BACK_AT_ENDPOINT,
  NOTE_ENDPOINT,
  RECORD_AT_ENDPOINT,
  STANDING,
} from './endpoint-queue.sql.js'
import { ENDPOINTS_MAX, type SealedSecrets } from './registered-endpoint.entity.js'
import type { DeliveryRow } from './webhook-queue.sql.js'
import { attemptValues, type AttemptOutcome, type EventKey } from './webhook-queue.js'
import type { DeliveryEnd, DueDelivery } from './webhook.entity.js'

/** An attempt that is to be made at an endpoint, with what signs it. */
export interface EndpointAttempt {
  delivery: DueDelivery
  secrets: SealedSecrets
}

/** Which attempt a job makes. */
export interface EndpointJob {
  tenantId: string
  endpointId: string
  deliveryId: string
  /** Of the attempts before it; with 0 the job makes all first attempts that wait at the endpoint for this resource. */
  attemptCount: number
}

/** The open deliveries to an endpoint that is off or gone: what was to be delivered until then, ISO 8601. */
export interface DeliveriesToEnd {
  tenantId: string
  endpointId: string
  endedBecause: DeliveryEnd
  until: string
}

/** So many at once hold no lock for long, and end within the time of a statement. */
const ENDED_AT_ONCE = 1_000

/** The exact text that an event is told in. */
export type EventText = Pick<DueDelivery, 'type' | 'body'>

/** Up to which events of a resource first attempts were made at the contract's address, and deliveries to endpoints are stored. */
export interface Standing {
  hasEndpoints: boolean
  attempted: number
  fanned: number
}

export type EndpointQueue = ReturnType<typeof endpointQueue>

type AttemptRow = DeliveryRow & { secrets: RowOf<SealedSecrets> }

/** The statements that move deliveries to registered endpoints. Each is one round trip and one commit. */
export function endpointQueue({ pool }: Database, clock: Clock, newId: IdSource) {
  const now = (): string => clock.now().toISOString()
  return {
    async standingOf({ tenantId, source, resourceId }: EventKey): Promise<Standing> {
      const [row] = await run<Standing & Record<string, unknown>>(pool, STANDING, [tenantId, source, resourceId])
      if (!row) throw new Error('the standing of a resource was not returned')
      return row
    },

    /** Stores an event's deliveries to the endpoints that want it, with their jobs; once, however often it is called. */
    async fanOut({ tenantId, source, resourceId, sequence }: EventKey, { type, body }: EventText): Promise<void> {
      const ids = Array.from({ length: ENDPOINTS_MAX }, newId)
      await run(pool, FAN_OUT, [tenantId, source, resourceId, sequence, type, body, ids, now()])
    },

    /**
     * The attempt that a job is to make; undefined where it was made, is being made, or is not to come any more.
     * @param leasedUntil until when it is the caller's
     */
    async claim(
      { tenantId, deliveryId, attemptCount }: EndpointJob,
      leasedUntil: Date,
    ): Promise<EndpointAttempt | undefined> {
      const statement = attemptCount === 0 ? CLAIM_FIRST : CLAIM_AGAIN
      const values = [tenantId, deliveryId, attemptCount, now(), leasedUntil.toISOString()]
      const [row] = await run<AttemptRow>(pool, statement, values)
      if (!row) return undefined
      const { secrets, startedAt, ...delivery } = row
      return {
        delivery: { ...delivery, startedAt: new Date(startedAt) },
        secrets: withTimes(secrets, ['previousUntil', 'oldestUntil']) as SealedSecrets,
      }
    },

    /** Lets others have what a job has claimed after a failure of ours, if the claim of ours came through. */
    async giveBack({ tenantId, deliveryId }: EndpointJob, leasedUntil: Date): Promise<void> {
      await run(pool, GIVE_BACK_AT_ENDPOINT, [tenantId, deliveryId, leasedUntil.toISOString()])
    },

    /** Ends a delivery whose endpoint is off or gone. */
    async endIfOff({ tenantId, deliveryId }: EndpointJob): Promise<void> {
      await run(pool, END_IF_OFF, [tenantId, deliveryId])
    },

    /** Ends some of the open deliveries to an endpoint. @returns whether there may be more of them */
    async endSome({ tenantId, endpointId, until, endedBecause }: DeliveriesToEnd): Promise<boolean> {
      const ended = await run(pool, END_SOME, [tenantId, endpointId, until, endedBecause, ENDED_AT_ONCE])
      return ended.length === ENDED_AT_ONCE
    },

    /** Records an attempt, unless it is recorded already, with the job of the next one; and then how the endpoint does. */
    async record(delivery: DueDelivery, endpointId: string, outcome: AttemptOutcome): Promise<void> {
      await run(pool, RECORD_AT_ENDPOINT, attemptValues(delivery, outcome, clock))
      await run(pool, NOTE_ENDPOINT, [delivery.tenantId, endpointId, outcome.state, now()])
    },
  }
}
