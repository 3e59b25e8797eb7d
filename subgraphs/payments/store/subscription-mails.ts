import { executeIn, inTransaction, run, type Database, type Transaction } from '../../../kernel/database.js'
import { hasLiveJob } from '../../../kernel/jobs.js'

/** One step towards a payer: which period of whose subscription, 0 for the first e-mail. */
export interface MailStep {
  tenantId: string
  subscriptionId: string
  period: number
  step: number
}

/**
 * Why a payer is asked: a payment is due that nobody charges, or the card was refused for the last time, or could not be charged for a
 * reason that says nothing about it.
 */
export type MailReason = 'due' | 'refused' | 'uncharged'

/** A step, and when it is taken; the days of later steps are counted from `since`. */
export interface PlannedMail extends MailStep {
  reason: MailReason
  since: Date
  plannedAt: Date
}

/** A step as it is kept; times are ISO 8601. */
type MailRow = { reason: MailReason; since: string; plannedAt: string; isOver: boolean } & Record<string, unknown>

const PLAN = `insert into payments.subscription_mail (tenant_id, subscription_id, period, step, reason, since, planned_at)
  values (?, ?, ?, ?, ?, ?::timestamptz, ?::timestamptz) on conflict do nothing returning 1 as one`

const KEY = 'tenant_id = $1 and subscription_id = $2 and period = $3 and step = $4'

const FIND = {
  name: 'subscription_mail',
  text: `select reason, to_json(since) #>> '{}' as since, to_json(planned_at) #>> '{}' as "plannedAt",
      ended_at is not null as "isOver"
    from payments.subscription_mail where ${KEY}`,
}

const FIND_OVERDUE = {
  name: 'subscription_mails_overdue',
  text: `select tenant_id as "tenantId", subscription_id as "subscriptionId", period, step from payments.subscription_mail
    where ended_at is null and planned_at < $1::timestamptz
      and not ${hasLiveJob(`array[concat_ws('-', 'mail-subscription', subscription_id, period, step)]`)}
    order by planned_at limit $2`,
}

const END = `update payments.subscription_mail set outcome = ?, ended_at = ?::timestamptz
  where tenant_id = ? and subscription_id = ? and period = ? and step = ? and ended_at is null`

const PUT_OFF = `update payments.subscription_mail set planned_at = ?::timestamptz
  where tenant_id = ? and subscription_id = ? and period = ? and step = ? and ended_at is null`

/** One row a tenant: the count of an hour makes room for that of the next. */
const TAKE = {
  name: 'subscription_mail_take',
  text: `insert into payments.subscription_mail_hour as used (tenant_id, hour_at, taken)
    values ($1, date_trunc('hour', $2::timestamptz, 'UTC'), 1)
    on conflict (tenant_id) do update set hour_at = excluded.hour_at,
      taken = case when used.hour_at = excluded.hour_at then used.taken + 1 else 1 end
      where used.hour_at <> excluded.hour_at or used.taken < $3
    returning 1 as one`,
}

/** The e-mails to payers of subscriptions; who gets them is read from the payments when they are sent. */
export type SubscriptionMailsStore = ReturnType<typeof subscriptionMailsStore>

export function subscriptionMailsStore(db: Database) {
  const endIn = async (em: Transaction, mail: MailStep, outcome: 'done' | 'dropped', at: Date): Promise<void> => {
    const { tenantId, subscriptionId, period, step } = mail
    await executeIn(em, END, [outcome, at.toISOString(), tenantId, subscriptionId, period, step])
  }
  return {
    /** In the transaction of `em`. @returns whether it is new */
    plan: async (em: Transaction, mail: PlannedMail): Promise<boolean> => {
      const { tenantId, subscriptionId, period, step, reason, since, plannedAt } = mail
      const values = [tenantId, subscriptionId, period, step, reason, since.toISOString(), plannedAt.toISOString()]
      return (await executeIn(em, PLAN, values)).length > 0
    },
    find: async ({ tenantId, subscriptionId, period, step }: MailStep): Promise<MailRow | undefined> =>
      (await run<MailRow>(db.pool, FIND, [tenantId, subscriptionId, period, step]))[0],
    /** Steps that should have been taken before a time and have no job, at most `limit`: it was lost. */
    findOverdue: (before: Date, limit: number): Promise<MailStep[]> =>
      run<MailStep & Record<string, unknown>>(db.pool, FIND_OVERDUE, [before.toISOString(), limit]),
    /** Takes one of the e-mails that a tenant may send in this hour. @returns whether there was one */
    take: async (tenantId: string, at: Date, perHour: number): Promise<boolean> =>
      (await run(db.pool, TAKE, [tenantId, at.toISOString(), perHour])).length > 0,
    /** Plans a step for later, in the transaction of `em`. */
    reschedule: async (
      em: Transaction,
      { tenantId, subscriptionId, period, step }: MailStep,
      at: Date,
    ): Promise<void> => {
      await executeIn(em, PUT_OFF, [at.toISOString(), tenantId, subscriptionId, period, step])
    },
    /** Ends a step in the transaction of `em`. */
    endIn,
    /** Ends a step of which there is nothing to say any more. */
    drop: (mail: MailStep, at: Date): Promise<void> => inTransaction(db, (em) => endIn(em, mail, 'dropped', at)),
  }
}
