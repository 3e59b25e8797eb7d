import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import type { Clock } from '../../../kernel/clock.js'
import { executeIn, inTransaction, run, runIn, type Database } from '../../../kernel/database.js'
import { addJob } from '../../../kernel/jobs.js'
import { FINAL_ERRORS } from '../model/attempt-rules.js'
import type { SubscriptionEventType, SubscriptionStatus } from '../model/subscription.js'
import { PUBLISH_EVENT } from '../model/publish-event.js'
import { overdueReads } from './overdue-subscriptions.js'
import type { HistoryPage } from './payments.js'
import { intervalOf } from './registered-interval.js'
import {
  SubscriptionEntity,
  SubscriptionEventEntity,
  SubscriptionPeriodEntity,
  type Subscription,
  type SubscriptionChange,
  type SubscriptionEvent,
  type SubscriptionPeriod,
  type SubscriptionSnapshot,
} from './subscription.entity.js'

/** One entry of a history, as it is read: what its columns were stays behind. */
export type SubscriptionEntry = Pick<SubscriptionEvent, 'subscriptionId' | 'sequence' | 'type' | 'createdAt'>

/** The histories of subscriptions: at most $4 entries of each, those after sequence $3. */
const HISTORIES = {
  name: 'subscription_histories',
  text: `select entry.subscription_id as "subscriptionId", entry.sequence, entry.type,
      to_json(entry.created_at) #>> '{}' as "createdAt"
    from unnest($2::text[]) as wanted, lateral (select * from payments.subscription_event
      where tenant_id = $1 and subscription_id = wanted and sequence > $3 order by sequence limit $4) as entry
    order by entry.sequence`,
}

type HistoryRow = Omit<SubscriptionEntry, 'createdAt'> & { createdAt: string }

/** Which subscriptions a list holds; what is absent is any. */
export interface SubscriptionFilter {
  orderCode?: string | null
  status?: SubscriptionStatus | null
}

/** More periods than can be tried at the same time: an attempt is tried again for as many days as an order may say. */
const HELD_MAX = 1_000

/**
 * The failed periods of a subscription but period $3. What nobody can pay any more, whatever is done, makes nobody wait for it, nor what is
 * paid while receivers wait.
 */
const COUNT_FAILED = {
  name: 'subscription_failed_periods',
  text: `select count(*)::int as count from payments.subscription_period as failed
    join payments.payment as payment on payment.tenant_id = failed.tenant_id and payment.id = failed.payment_id
    where failed.tenant_id = $1 and failed.subscription_id = $2 and failed.period is distinct from $3 and failed.state = 'failed'
      and (payment.status <> 'error' or coalesce(payment.data_error ->> 'code', '') <> all($4))
      and (payment.status <> 'pending' or (select state from payments.charge where tenant_id = payment.tenant_id
        and id = payment.charge_id) is distinct from 'paid')`,
}

/** Of the subscription that a period's payment is of; none where it is canceled. */
const IS_CHARGED = {
  name: 'subscription_is_charged',
  text: `select subscription.charge as "isCharged" from payments.subscription_period as period
    join payments.subscription as subscription on subscription.tenant_id = period.tenant_id
      and subscription.id = period.subscription_id and subscription.status <> 'canceled'
    where period.tenant_id = $1 and period.payment_id = $2`,
}

const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE } as const

/** Subscriptions with their periods and history. Every read names the tenant first: another's row does not exist. */
export type SubscriptionsStore = ReturnType<typeof subscriptionsStore>

/** The store over payments' own schema. */
export function subscriptionsStore(db: Database, clock: Clock) {
  const reads = subscriptionReads(db)
  return {
    ...reads,
    /** Works under the subscription's row lock. Gives the subscription as it is then; undefined where there is none. */
    change: (
      tenantId: string,
      id: string,
      work: (subscription: Subscription, em: EntityManager) => Promise<void>,
    ): Promise<Subscription | undefined> =>
      inTransaction(db, async (em) => {
        const subscription = await em.findOne(SubscriptionEntity, { tenantId, id }, LOCKED)
        if (subscription) await work(subscription, em)
        return subscription ?? undefined
      }),
    ...readsInTransaction,
    add: (em: EntityManager, subscription: Subscription): Subscription => em.create(SubscriptionEntity, subscription),
    addPeriod: (em: EntityManager, period: SubscriptionPeriod): SubscriptionPeriod =>
      em.create(SubscriptionPeriodEntity, period),
    /** Changes a locked subscription, and appends the event that tenants are told of. */
    record: async (
      em: EntityManager,
      subscription: Subscription,
      type: SubscriptionEventType,
      change: SubscriptionChange,
    ): Promise<void> => {
      const { tenantId, id: subscriptionId } = subscription
      const sequence = subscription.sequence + 1
      const createdAt = clock.now()
      Object.assign(subscription, change, { sequence, updatedAt: createdAt })
      const snapshot = snapshotOf(subscription)
      em.persist(em.create(SubscriptionEventEntity, { tenantId, subscriptionId, sequence, type, snapshot, createdAt }))
      await addJob(em, clock, {
        name: PUBLISH_EVENT,
        payload: { tenantId, source: 'subscriptions', resourceId: subscriptionId, sequence },
      })
    },
  }
}

/** What is read in the transaction of `em`. */
const readsInTransaction = {
  /** The period that a payment is of, with its subscription, which is locked in the transaction of `em`. */
  lockPeriodOf: async (
    em: EntityManager,
    { tenantId, id: paymentId }: { tenantId: string; id: string },
  ): Promise<{ subscription: Subscription; period: SubscriptionPeriod } | undefined> => {
    const found = await em.findOne(SubscriptionPeriodEntity, { tenantId, paymentId })
    if (!found) return undefined
    const subscription = await em.findOneOrFail(SubscriptionEntity, { tenantId, id: found.subscriptionId }, LOCKED)
    // Read again under the lock: its last holder may have changed the period.
    const period = await em.refresh(found)
    return period ? { subscription, period } : undefined
  },
  /** Whether the subscription of a period's payment charges a card by itself; false where it is canceled. */
  chargesCardOf: async (em: EntityManager, { tenantId, id }: { tenantId: string; id: string }): Promise<boolean> => {
    const [row] = await runIn<{ isCharged: boolean }>(em, IS_CHARGED, [tenantId, id])
    return row?.isCharged === true
  },
  /**
   * The subscription that began with a trial, locked in the transaction of `em`; undefined where there is none, and then no
   * other transaction begins it at the same time.
   */
  lockTrial: async (em: EntityManager, tenantId: string, trialKey: string): Promise<Subscription | undefined> => {
    await executeIn(em, 'select pg_advisory_xact_lock(hashtextextended(?, 0))', [`trial:${tenantId}:${trialKey}`])
    return (await em.findOne(SubscriptionEntity, { tenantId, trialKey }, LOCKED)) ?? undefined
  },
  /** A period, in the transaction of `em`. */
  periodIn: async (
    em: EntityManager,
    { tenantId, id: subscriptionId }: Subscription,
    period: number,
  ): Promise<SubscriptionPeriod | undefined> =>
    (await em.findOne(SubscriptionPeriodEntity, { tenantId, subscriptionId, period })) ?? undefined,
  intervalOf,
  /** Whether attempts of another period are used up, and nobody has paid it since, though it can be paid. */
  hasOtherFailed: (em: EntityManager, { subscriptionId: id, ...other }: SubscriptionPeriod): Promise<boolean> =>
    hasFailedBut(em, { ...other, id }, other.period),
  /** Whether attempts of any period are used up, and nobody has paid it since, though it can be paid. */
  hasFailed: (em: EntityManager, subscription: Subscription): Promise<boolean> => hasFailedBut(em, subscription, null),
  /** The periods whose attempts are held, oldest first; of one that was paid or settled meanwhile none is to come. */
  heldPeriods: (em: EntityManager, { tenantId, id }: Subscription): Promise<SubscriptionPeriod[]> =>
    em.find(
      SubscriptionPeriodEntity,
      { tenantId, subscriptionId: id, held: true, state: 'open' },
      { orderBy: { period: 'asc' }, limit: HELD_MAX },
    ),
}

async function hasFailedBut(
  em: EntityManager,
  { tenantId, id }: Pick<Subscription, 'tenantId' | 'id'>,
  period: number | null,
): Promise<boolean> {
  const [row] = await runIn<{ count: number }>(em, COUNT_FAILED, [tenantId, id, period, FINAL_ERRORS])
  return (row?.count ?? 0) > 0
}

function subscriptionReads(db: Database) {
  const fork = (): EntityManager => db.orm.em.fork()
  const find = async (tenantId: string, id: string): Promise<Subscription | undefined> =>
    (await fork().findOne(SubscriptionEntity, { tenantId, id })) ?? undefined
  return {
    find,
    /** The subscription as it was after event `sequence`. */
    findAt: async (tenantId: string, id: string, sequence: number): Promise<Subscription | undefined> => {
      const event = await fork().findOne(SubscriptionEventEntity, { tenantId, subscriptionId: id, sequence })
      const subscription = event && (await find(tenantId, id))
      if (!subscription) return undefined
      return { ...subscription, ...fromSnapshot(event.snapshot), sequence, updatedAt: event.createdAt }
    },
    /** The subscriptions in the order of `ids`, undefined where the tenant has none. */
    findMany: async (tenantId: string, ids: readonly string[]): Promise<(Subscription | undefined)[]> => {
      const found = await fork().find(SubscriptionEntity, { tenantId, id: { $in: [...ids] } })
      const byId = new Map(found.map((subscription) => [subscription.id, subscription]))
      return ids.map((id) => byId.get(id))
    },
    /** Newest first, at most `limit`, those begun before `afterId`. */
    list: (
      tenantId: string,
      { orderCode, status }: SubscriptionFilter,
      { limit, afterId }: { limit: number; afterId: string | undefined },
    ): Promise<Subscription[]> =>
      fork().find(
        SubscriptionEntity,
        {
          tenantId,
          ...(orderCode != null && { orderCode }),
          ...(status != null && { status }),
          ...(afterId !== undefined && { id: { $lt: afterId } }),
        },
        { orderBy: { id: 'desc' }, limit },
      ),
    /** The subscriptions that payments began or belong to, in the order of `paymentIds`. */
    ofPayments: async (tenantId: string, paymentIds: readonly string[]): Promise<(Subscription | undefined)[]> => {
      const em = fork()
      const wanted = [...paymentIds]
      const periods = await em.find(SubscriptionPeriodEntity, { tenantId, paymentId: { $in: wanted } })
      const ids = periods.map(({ subscriptionId }) => subscriptionId)
      const found = await em.find(SubscriptionEntity, {
        tenantId,
        $or: [{ id: { $in: ids } }, { firstPaymentId: { $in: wanted } }],
      })
      const byId = new Map(found.map((subscription) => [subscription.id, subscription]))
      const ofPeriod = new Map(periods.map(({ paymentId, subscriptionId }) => [paymentId, byId.get(subscriptionId)]))
      const byFirst = new Map(found.map((subscription) => [subscription.firstPaymentId, subscription]))
      return paymentIds.map((id) => byFirst.get(id) ?? ofPeriod.get(id))
    },
    /** The same page of the histories in the order of `ids`, each oldest first. */
    histories: (tenantId: string, ids: readonly string[], page: HistoryPage): Promise<SubscriptionEntry[][]> =>
      historiesOf(db, tenantId, ids, page),
    ...periodReads(db),
    ...overdueReads(db),
  }
}

async function historiesOf(
  db: Database,
  tenantId: string,
  ids: readonly string[],
  { first, after }: HistoryPage,
): Promise<SubscriptionEntry[][]> {
  const rows = await run<HistoryRow>(db.pool, HISTORIES, [tenantId, ids, after, first])
  const entries = rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) }))
  const found = Map.groupBy(entries, ({ subscriptionId }) => subscriptionId)
  return ids.map((id) => found.get(id) ?? [])
}

function periodReads(db: Database) {
  const fork = (): EntityManager => db.orm.em.fork()
  return {
    /** The periods that have a payment, newest first, at most `limit`, those before period `before`. */
    listPeriods: (
      { tenantId, id: subscriptionId }: Pick<Subscription, 'tenantId' | 'id'>,
      { limit, before }: { limit: number; before: number | undefined },
    ): Promise<SubscriptionPeriod[]> =>
      fork().find(
        SubscriptionPeriodEntity,
        { tenantId, subscriptionId, ...(before !== undefined && { period: { $lt: before } }) },
        { orderBy: { period: 'desc' }, limit },
      ),
    /** How often it was tried to charge the period of a payment, the attempt that is to come among them; 0 where it is of none. */
    attemptsOf: async ({ tenantId, id: paymentId }: { tenantId: string; id: string }): Promise<number> =>
      (await fork().findOne(SubscriptionPeriodEntity, { tenantId, paymentId }))?.attempt ?? 0,
    countPeriods: ({ tenantId, id: subscriptionId }: Pick<Subscription, 'tenantId' | 'id'>): Promise<number> =>
      fork().count(SubscriptionPeriodEntity, { tenantId, subscriptionId }),
    findPeriod: async (
      tenantId: string,
      subscriptionId: string,
      period: number,
    ): Promise<SubscriptionPeriod | undefined> =>
      (await fork().findOne(SubscriptionPeriodEntity, { tenantId, subscriptionId, period })) ?? undefined,
  }
}

function snapshotOf(subscription: Subscription): SubscriptionSnapshot {
  const { cancelReason, dueAt, nextAttemptAt, nextPaymentAt, paymentId, refusals, skippedPeriods, status } =
    subscription
  const { planName, interval, amountFrom } = subscription
  const text = (at: Date | null | undefined): string | null => at?.toISOString() ?? null
  return {
    ...{ planName, interval, amountFrom: amountFrom ?? null },
    status,
    refusals,
    skippedPeriods,
    paymentId: paymentId ?? null,
    cancelReason: cancelReason ?? null,
    dueAt: text(dueAt),
    nextAttemptAt: text(nextAttemptAt),
    nextPaymentAt: text(nextPaymentAt),
  }
}

function fromSnapshot({ dueAt, nextAttemptAt, nextPaymentAt, ...plain }: SubscriptionSnapshot) {
  const date = (at: string | null): Date | null => (at === null ? null : new Date(at))
  return { ...plain, dueAt: date(dueAt), nextAttemptAt: date(nextAttemptAt), nextPaymentAt: date(nextPaymentAt) }
}
