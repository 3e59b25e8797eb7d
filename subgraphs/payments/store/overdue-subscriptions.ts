import { run, type Database } from '../../../kernel/database.js'
import { hasLiveJob } from '../../../kernel/jobs.js'
import type { Subscription, SubscriptionPeriod } from './subscription.entity.js'

/** A subscription whose next payment should have been registered. */
type OverdueSubscription = Pick<Subscription, 'tenantId' | 'id'>

/** An attempt to charge a period that should have been made. */
type OverdueAttempt = Pick<SubscriptionPeriod, 'tenantId' | 'subscriptionId' | 'period' | 'attempt'>

/**
 * Those of disabled tenants rest with a job of their own, and stay overdue: they are the oldest, and without the look at the job they
 * would fill every page, and nobody else's lost job would ever be found.
 */
const FIND_OVERDUE = {
  name: 'subscriptions_overdue',
  text: `select tenant_id as "tenantId", id from payments.subscription as subscription
    where status = 'active' and next_payment_at < $1::timestamptz and not ${hasLiveJob(`array['renew-subscription:' || subscription.id]`)}
    order by next_payment_at limit $2`,
}

const ATTEMPT_KEY = `concat_ws(':', 'charge-subscription', due.subscription_id, due.period, due.attempt)`

/**
 * Not those whose charge waits for its outcome, or was paid while receivers wait: they come to their end by themselves, and
 * need no job. Each look is a value of its row, so that PostgreSQL takes it by key, as in `hasLiveJob`.
 */
const FIND_OVERDUE_ATTEMPTS = {
  name: 'subscription_attempts_overdue',
  text: `select tenant_id as "tenantId", subscription_id as "subscriptionId", period, attempt
    from payments.subscription_period as due
    where state = 'open' and not held and next_attempt_at < $1::timestamptz and not ${hasLiveJob(`array[${ATTEMPT_KEY}]`)}
      and (select status from payments.subscription where tenant_id = due.tenant_id and id = due.subscription_id) <> 'canceled'
      and (select charge.request_key from payments.payment as payment join payments.charge as charge
          on charge.tenant_id = payment.tenant_id and charge.id = payment.charge_id
        where payment.tenant_id = due.tenant_id and payment.id = due.payment_id and payment.status = 'pending'
        ) is distinct from ${ATTEMPT_KEY}
    order by next_attempt_at limit $2`,
}

/** What of subscriptions is overdue and has lost its job; of each at most `limit`, the longest overdue first. */
export function overdueReads({ pool }: Pick<Database, 'pool'>) {
  return {
    /** Active ones that should have had a payment before a time. */
    findOverdue: (before: Date, limit: number): Promise<OverdueSubscription[]> =>
      run<OverdueSubscription & Record<string, unknown>>(pool, FIND_OVERDUE, [before.toISOString(), limit]),
    /** Attempts to charge that should have been made before a time, and that nothing holds up. */
    findOverdueAttempts: (before: Date, limit: number): Promise<OverdueAttempt[]> =>
      run<OverdueAttempt & Record<string, unknown>>(pool, FIND_OVERDUE_ATTEMPTS, [before.toISOString(), limit]),
  }
}
