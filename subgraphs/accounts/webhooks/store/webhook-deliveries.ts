import { createHash } from 'node:crypto'
import type { Clock } from '../../../../kernel/clock.js'
import {
  inTransaction,
  run,
  runIn,
  type Database,
  type Queryable,
  type Transaction,
} from '../../../../kernel/database.js'
import type { RowOf } from '../../../../kernel/columns.js'
import { AppError } from '../../../../kernel/errors.js'
import { claimExpression, claimValues, firstAnswer } from '../../../../kernel/idempotency.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import { endpointJob } from './endpoint-queue.sql.js'
import { RegisteredEndpointEntity, type RegisteredEndpoint } from './registered-endpoint.entity.js'
import { SHOWN_ATTEMPTS } from './webhook-attempts.sql.js'
import { COUNT_REPLAY, REPLAYS_A_DAY } from './replay-counts.sql.js'
import { RETRY_WEBHOOK } from './webhook-queue.sql.js'
import {
  WebhookDeliveryEntity,
  WebhookEndpointEntity,
  type DeliveryState,
  type WebhookAttempt,
  type WebhookDelivery,
} from './webhook.entity.js'

/** A delivery, and how its address does. */
export type DeliveryWithEndpoint = Omit<WebhookDelivery, 'sequence' | 'endpointSequence'> & {
  /** Of the event. */
  sequence: number
  /** The registered endpoint that it is for; null where it goes to the contract's address, and where the endpoint is gone. */
  endpoint: RegisteredEndpoint | null
  endpointFailingSince: Date | null
  endpointMarkedFailingAt: Date | null
}

/** A delivery with the newest of its attempts, `ATTEMPTS_SHOWN` at most, oldest first. */
export type DeliveryRecord = DeliveryWithEndpoint & { attempts: WebhookAttempt[] }

/** What an idempotency key answers with: a delivery as it was when it was ordered. Times are ISO 8601. */
export interface OrderedDelivery {
  deliveryId: string
  /** Of the attempts that were made before. */
  attemptCount: number
  nextAttemptAt: string | null
  deliveredAt: string | null
}

/** A test event that is to be delivered. */
export type TestDelivery = Pick<WebhookDelivery, 'id' | 'resourceId' | 'type' | 'url' | 'body'> & {
  publicClientId: string | null
  /** The registered endpoint that it is for; null for an integration's address. */
  endpointId: string | null
}

/** Which of a tenant's deliveries; what is left out or null is any. */
export interface DeliveryFilter {
  resourceId?: string | null | undefined
  state?: DeliveryState | null | undefined
  /** Only those to this registered endpoint, also to one that is gone. */
  endpointId?: string | null | undefined
}

/** Newest first: `limit` of those older than `beforeId`. */
interface Slice {
  limit: number
  beforeId?: string | undefined
}

/** The job of a delivery's next attempt: a row with its `endpoint_id`, and the SQL of its id and of the attempts before. */
function nextJob(id: string, attemptCount: string): string {
  return `(case when endpoint_id is null then kernel.add_job('${RETRY_WEBHOOK}',
      json_build_object('tenantId', $1::text, 'deliveryId', ${id}, 'attemptCount', ${attemptCount}),
      job_key => '${RETRY_WEBHOOK}:' || ${id})
    else ${endpointJob({ tenantId: '$1::text', endpointId: 'endpoint_id', id, attemptCount })} end)`
}

/** A delivery whose first attempt is still to come is left to the order of events. */
const REPLAY = {
  name: 'webhook_replay',
  text: `with claim as (${claimExpression(4)}), delivery as (
    update accounts.webhook_delivery set state = 'pending', failures = 0, started_at = $3::timestamptz,
      next_attempt_at = $3::timestamptz, ended_because = null
    where tenant_id = $1 and id = $2 and (attempt_count > 0 or ended_because is not null or started_at <= (
        select ended_until from accounts.registered_endpoint as endpoint where endpoint.tenant_id = $1 and endpoint.id = endpoint_id))
      and ($5::text is null or exists (select from claim))
    returning attempt_count, endpoint_id
  )
  select ($5::text is null or exists (select from claim)) as claimed,
    (select ${nextJob('$2::text', 'attempt_count')} is not null from delivery) as scheduled`,
}

/** A test event, and the job of its first attempt: no other event of its resource has to go before it. */
const ADD_TEST = {
  name: 'webhook_add_test',
  text: `with claim as (${claimExpression(9)}), delivery as (
    insert into accounts.webhook_delivery (tenant_id, source, resource_id, sequence, endpoint_id, endpoint_sequence, id, type,
        url, public_client_id, body, state, attempt_count, failures, started_at, next_attempt_at, created_at)
      select $1, 'tests', $2, case when $15::text is null then 1 end, $15::text, case when $15::text is not null then 1 end,
        $3, $4, $5, $6, $7, 'pending', 0, 0, $8::timestamptz, $8::timestamptz, $8::timestamptz
      where $10::text is null or exists (select from claim)
    returning id, endpoint_id
  )
  select id, (${nextJob('id', '0')}) is not null as scheduled from delivery`,
}

export type WebhookDeliveries = ReturnType<typeof webhookDeliveries>

/** Reads of what was delivered, and the order to deliver it again. Another tenant's delivery does not exist. */
export function webhookDeliveries(db: Database, clock: Clock) {
  return {
    /** @param attemptCount of the attempts that it has as it is wanted: those after them are left out */
    async find(tenantId: string, id: string, attemptCount?: number): Promise<DeliveryRecord | undefined> {
      const found = await findWithoutAttempts(db, tenantId, id)
      const wanted = found && [{ ...found, ...(attemptCount !== undefined && { attemptCount }) }]
      return (await withAttempts(db.pool, tenantId, wanted ?? []))[0]
    },

    findWithoutAttempts: (tenantId: string, id: string) => findWithoutAttempts(db, tenantId, id),

    async list(tenantId: string, filter: DeliveryFilter, { limit, beforeId }: Slice): Promise<DeliveryRecord[]> {
      const { resourceId, state, endpointId } = filter
      const em = db.orm.em.fork()
      const open = state === 'pending' ? await openDeliveries(em, tenantId) : {}
      const deliveries = await em.find(
        WebhookDeliveryEntity,
        {
          tenantId,
          ...(beforeId !== undefined && { id: { $lt: beforeId } }),
          ...(resourceId != null && { resourceId }),
          ...(state != null && { state }),
          ...(endpointId != null && { endpointId }),
          ...open,
        },
        { orderBy: { id: 'desc' }, limit },
      )
      return withAttempts(db.pool, tenantId, await withEndpoints(em, tenantId, deliveries))
    },

    /** What the request's idempotency key ordered before; undefined where it is new. Throws `idempotency_*`. */
    firstAnswer: (tenant: Tenant): Promise<OrderedDelivery | undefined> => firstAnswer(db.pool, tenant, clock),

    addTest: (tenant: Tenant, test: TestDelivery) => addTest(db, clock, tenant, test),

    replay: (tenant: Tenant, delivery: DeliveryWithEndpoint) => replay(db, clock, tenant, delivery),
  }
}

/**
 * Stores a test event with the job of its first attempt, once per idempotency key. It counts as a replay does.
 * @returns the delivery; that of an earlier request, where the key was used before
 * @throws replay_limit_reached; then nothing is stored and the key is free
 */
async function addTest(db: Database, clock: Clock, tenant: Tenant, test: TestDelivery): Promise<OrderedDelivery> {
  const { id, resourceId, type, url, publicClientId, body, endpointId } = test
  const now = clock.now().toISOString()
  const ordered = { deliveryId: id, attemptCount: 0, nextAttemptAt: now, deliveredAt: null }
  const values = [tenant.id, resourceId, id, type, url, publicClientId, body, now]
  const claim = claimValues(tenant, ordered, clock)
  const isAdded = await inTransaction(db, async (em) => {
    const [row] = await runIn<{ id: string }>(em, ADD_TEST, [...values, ...claim, endpointId])
    if (!row) return false
    await countReplay(em, tenant, now)
    return true
  })
  if (isAdded) return ordered
  const first = await firstAnswer<OrderedDelivery>(db.pool, tenant, clock)
  if (!first) throw new Error('a test event was neither added nor found under its idempotency key')
  return first
}

/**
 * Starts the schedule anew, now, once per idempotency key. A delivery whose first attempt is still to come stays as it is.
 * @returns the delivery; that of an earlier request, where the key was used before
 * @throws replay_limit_reached; then nothing is ordered and the key is free
 */
async function replay(
  db: Database,
  clock: Clock,
  tenant: Tenant,
  { id, attemptCount, ...before }: DeliveryWithEndpoint,
): Promise<OrderedDelivery> {
  const now = clock.now().toISOString()
  const ordered = {
    deliveryId: id,
    attemptCount,
    nextAttemptAt:
      attemptCount > 0 || before.endedBecause != null ? now : (before.nextAttemptAt?.toISOString() ?? null),
    deliveredAt: before.deliveredAt?.toISOString() ?? null,
  }
  const claim = claimValues(tenant, ordered, clock)
  const isOrdered = await inTransaction(db, async (em) => {
    const [row] = await runIn<{ claimed: boolean }>(em, REPLAY, [tenant.id, id, now, ...claim])
    if (row?.claimed !== true) return false
    await countReplay(em, tenant, now)
    return true
  })
  if (isOrdered) return ordered
  const first = await firstAnswer<OrderedDelivery>(db.pool, tenant, clock)
  if (!first) throw new Error('a replay was neither ordered nor found under its idempotency key')
  return first
}

/**
 * Counts a replay or a test event against what a tenant may order on a day.
 * @param now ISO 8601
 * @throws replay_limit_reached
 */
async function countReplay(em: Transaction, tenant: Tenant, now: string): Promise<void> {
  const counted = await runIn(em, COUNT_REPLAY, [tenant.id, now.slice(0, 'yyyy-mm-dd'.length), REPLAYS_A_DAY])
  if (counted.length === 0) throw new AppError('replay_limit_reached')
}

async function findWithoutAttempts(
  db: Database,
  tenantId: string,
  id: string,
): Promise<DeliveryWithEndpoint | undefined> {
  const em = db.orm.em.fork()
  return (await withEndpoints(em, tenantId, await em.find(WebhookDeliveryEntity, { tenantId, id })))[0]
}

async function withAttempts(
  pool: Queryable,
  tenantId: string,
  deliveries: DeliveryWithEndpoint[],
): Promise<DeliveryRecord[]> {
  if (deliveries.length === 0) return []
  const values = [tenantId, deliveries.map(({ id }) => id), deliveries.map(({ attemptCount }) => attemptCount)]
  const rows = await run<RowOf<WebhookAttempt>>(pool, SHOWN_ATTEMPTS, values)
  const attempts = rows.map((row) => ({ ...row, attemptedAt: new Date(row.attemptedAt) }))
  const attemptsOf = Map.groupBy(attempts, (attempt) => attempt.deliveryId)
  return deliveries.map((delivery) => ({ ...delivery, attempts: attemptsOf.get(delivery.id) ?? [] }))
}

async function withEndpoints(
  em: Database['orm']['em'],
  tenantId: string,
  deliveries: WebhookDelivery[],
): Promise<DeliveryWithEndpoint[]> {
  if (deliveries.length === 0) return []
  const urlDigest = { $in: [...new Set(deliveries.map((delivery) => digestOf(delivery.url)))] }
  const addresses = await em.find(WebhookEndpointEntity, { tenantId, urlDigest })
  const addressOf = new Map(addresses.map((address) => [address.url, address]))
  const hasEndpoint = deliveries.some(({ endpointId }) => endpointId != null)
  const endpoints = hasEndpoint ? await em.find(RegisteredEndpointEntity, { tenantId }) : []
  const endpointOf = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  return deliveries.map(({ sequence, endpointSequence, ...delivery }) => {
    const { endpointId } = delivery
    const endpoint = endpointId == null ? null : (endpointOf.get(endpointId) ?? null)
    const standing = endpointId == null ? addressOf.get(delivery.url) : endpoint
    return {
      ...delivery,
      ...(isToEnd(delivery, endpoint) && {
        ...{ state: 'failed' as const, nextAttemptAt: null },
        endedBecause: endpoint ? ('endpoint_disabled' as const) : ('endpoint_deleted' as const),
      }),
      sequence: sequence ?? endpointSequence ?? 0,
      endpoint,
      endpointFailingSince: standing?.failingSince ?? null,
      endpointMarkedFailingAt: standing?.markedFailingAt ?? null,
    }
  })
}

/** Which deliveries that are pending are made: as `isToEnd` says of each. */
async function openDeliveries(em: Database['orm']['em'], tenantId: string) {
  const endpoints = await em.find(RegisteredEndpointEntity, { tenantId, isEnabled: true })
  const ofEndpoints = endpoints.map(({ id, endedUntil }) => ({
    endpointId: id,
    ...(endedUntil != null && { startedAt: { $gt: endedUntil } }),
  }))
  return { $or: [{ endpointId: null }, ...ofEndpoints] }
}

/** Whether a delivery is not made any more, and its end is ordered: nobody is to wait for it meanwhile. */
function isToEnd(
  { endpointId, state, startedAt }: Pick<WebhookDelivery, 'endpointId' | 'state' | 'startedAt'>,
  endpoint: RegisteredEndpoint | null,
): boolean {
  if (endpointId == null || state !== 'pending') return false
  return !endpoint?.isEnabled || (endpoint.endedUntil != null && startedAt <= endpoint.endedUntil)
}

/** As the table's generated key column makes it. */
function digestOf(url: string): string {
  return createHash('md5').update(url).digest('hex')
}
