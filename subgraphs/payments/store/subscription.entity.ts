import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql'
import type {
  CancelReason,
  SubscriptionEventType,
  SubscriptionInterval,
  SubscriptionStatus,
} from '../model/subscription.js'

/** One payer's subscription: it began with the first payment that succeeded, or with a trial, and has a payment for each period. */
export const SubscriptionEntity = defineEntity({
  name: 'Subscription',
  tableName: 'subscription',
  properties: {
    tenantId: p.string().primary(),
    id: p.string().primary(),
    /** Null where the first payment brought the terms itself. */
    orderCode: p.string().nullable(),
    firstPaymentId: p.string(),
    /** The payment that says how the payer pays: its card on file is charged. */
    meansPaymentId: p.string(),
    planName: p.string(),
    interval: p.string().$type<SubscriptionInterval>(),
    /** Whether a card on file is charged by itself. */
    charge: p.boolean(),
    retryCount: p.integer(),
    /** What a period costs from the next one on; null where it is what the first payment was. */
    amountFrom: p.string().nullable(),
    /** When the period `anchorPeriod` is due; all others follow from it, so that a short month shifts none but itself. */
    anchorAt: p.datetime(3),
    anchorPeriod: p.integer(),
    nextPeriod: p.integer(),
    /** The first period at terms that the payer has not agreed to; null where he has agreed to all. */
    consentFrom: p.integer().nullable(),
    /** What he agreed to before them; null where he has agreed to all. */
    agreedAmountFrom: p.string().nullable(),
    agreedInterval: p.string().$type<SubscriptionInterval>().nullable(),
    status: p.string().$type<SubscriptionStatus>(),
    sequence: p.integer(),
    /** Null while nothing is registered: past due, paused, or canceled. */
    nextPaymentAt: p.datetime(3).nullable(),
    /** What the last event was about: the payment of a period, when it was due, and how it stands. */
    paymentId: p.string().nullable(),
    dueAt: p.datetime(3).nullable(),
    skippedPeriods: p.integer(),
    refusals: p.integer(),
    nextAttemptAt: p.datetime(3).nullable(),
    cancelReason: p.string().$type<CancelReason>().nullable(),
    /** When its trial ends, and the payment of its first period is due; null where it began with a payment. */
    trialEndsAt: p.datetime(3).nullable(),
    /** Whose trial of which order it began with, hashed: a payer has one. */
    trialKey: p.string().nullable(),
    /** Since when the payer wants no e-mails. */
    emailsStoppedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})
export type Subscription = InferEntity<typeof SubscriptionEntity>

/** The columns that events change. */
export type SubscriptionChange = Partial<
  Pick<
    Subscription,
    | 'amountFrom'
    | 'cancelReason'
    | 'dueAt'
    | 'interval'
    | 'nextAttemptAt'
    | 'nextPaymentAt'
    | 'paymentId'
    | 'planName'
    | 'refusals'
    | 'skippedPeriods'
    | 'status'
  >
>

/** One period's payment. The key makes a second one impossible. */
export const SubscriptionPeriodEntity = defineEntity({
  name: 'SubscriptionPeriod',
  tableName: 'subscription_period',
  properties: {
    tenantId: p.string().primary(),
    subscriptionId: p.string().primary(),
    /** Counts from the anchor's, which is 0. */
    period: p.integer().primary(),
    paymentId: p.string(),
    dueAt: p.datetime(3),
    /** `failed`: its attempts are used up. The payer may still pay it. */
    state: p.string().$type<'open' | 'paid' | 'failed'>(),
    /** The number of the attempt to charge that is on its way or to come, from 1. */
    attempt: p.integer(),
    refusals: p.integer(),
    technicalFailures: p.integer(),
    /** When the attempt is to come, or came; null where nobody charges it. */
    nextAttemptAt: p.datetime(3).nullable(),
    /** Whether the attempt came while the subscription was paused, and waits until it goes on. */
    held: p.boolean(),
    createdAt: p.datetime(3),
  },
})
export type SubscriptionPeriod = InferEntity<typeof SubscriptionPeriodEntity>

/** The changing columns as JSON: times are ISO 8601. */
export interface SubscriptionSnapshot {
  status: SubscriptionStatus
  paymentId: string | null
  dueAt: string | null
  skippedPeriods: number
  refusals: number
  nextAttemptAt: string | null
  nextPaymentAt: string | null
  cancelReason: CancelReason | null
  /** Absent in events of before plans could change. */
  planName?: string
  interval?: SubscriptionInterval
  amountFrom?: string | null
}

/** One entry of a subscription's history, with its changing columns as they then were. */
export const SubscriptionEventEntity = defineEntity({
  name: 'SubscriptionEvent',
  tableName: 'subscription_event',
  properties: {
    tenantId: p.string().primary(),
    subscriptionId: p.string().primary(),
    sequence: p.integer().primary(),
    type: p.string().$type<SubscriptionEventType>(),
    snapshot: p.json<SubscriptionSnapshot>(),
    createdAt: p.datetime(3),
  },
})
export type SubscriptionEvent = InferEntity<typeof SubscriptionEventEntity>
