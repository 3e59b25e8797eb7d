import { run, type Database } from '../../../kernel/database.js'
import { hasLiveJob } from '../../../kernel/jobs.js'

/** Open work whose job is missing: the job's name, its payload and a key of its own. */
export interface MissingJob {
  name: string
  payload: Record<string, string>
  key: string
}

/** A payment whose payer has paid and whose receivers wait, without a job; which one it needs depends on its chains. */
export interface MissingSettlement {
  tenantId: string
  paymentId: string
  hash: string
}

/** Payments that are confirmed at the same moment wait for each other where they plan the same run of a settlement. */
export const PLANS_MAX = 8

/** Long after its watch a charge that the provider never ended is left to itself. */
const WATCHED_LONGEST = `interval '7 days'`
/** What the provider does not show by then is left to the nightly comparison with its own list. */
const TOLD_LONGEST = `interval '30 days'`

const WATCH_KEY = `'watch-charge:' || charge.id`
const EVENT_KEY = `'process-provider-event:' || told.provider || ':' || told.event_key`
const RETURN_KEY = `'return-receipt:' || returned.receipt_id || ':' || returned.id`
const SETTLE_KEY = `'settle-chain:' || owing.chain_name`
const CONFIRM_KEY = `'confirm-payment:' || relay.payment_id || ':' || relay.hash`
/** Keys of the version before had no payment in them: its jobs are still in the queue at an upgrade. They can go with the next version. */
const CONFIRM_KEYS = `array[${CONFIRM_KEY}, 'confirm-payment:' || relay.hash]`
const PAID_BY = `payment.id || ':' || tid_hash`
/** A payment whose payer has paid waits for a router or for its split, by the keys of this version and the one before. */
const SETTLEMENT_KEYS = `array['settle-split:' || ${PAID_BY}, 'follow-route:' || ${PAID_BY},
  'settle-split:' || tid_hash, 'follow-route:' || tid_hash]`
/** A chain's payouts have a run of their own planned, one that was planned with a payment, or one that a run has left for later. */
const SETTLE_KEYS = `array(select ${SETTLE_KEY} || suffix from unnest(array['', ':again'] ||
  array(select ':' || plan from generate_series(0, ${PLANS_MAX - 1}) as plan)) as suffix)`

/** Exported for the test of its plan. */
export const FIND = {
  name: 'lost_jobs_find',
  text: `(select 'watch-charge' as name, json_build_object('tenantId', tenant_id, 'chargeId', id) as payload, ${WATCH_KEY} as key
      from payments.charge where state in ('creating', 'open') and created_at < $1::timestamptz
        and watch_until > $1::timestamptz - ${WATCHED_LONGEST}
        and not ${hasLiveJob(`array[${WATCH_KEY}]`)}
      order by created_at desc limit $2)
    union all
    (select 'return-receipt', json_build_object('tenantId', tenant_id, 'rail', rail, 'receiptId', receipt_id, 'returnId', id),
        ${RETURN_KEY}
      from payments.receipt_return as returned where status not in ('done', 'refused') and not forced
        and created_at < $1::timestamptz and not ${hasLiveJob(`array[${RETURN_KEY}]`)}
      order by created_at desc limit $2)
    union all
    (select 'process-provider-event', json_build_object('provider', provider, 'eventKey', event_key), ${EVENT_KEY}
      from payments.provider_event as told where processed_at is null and received_at < $1::timestamptz
        and received_at > $1::timestamptz - ${TOLD_LONGEST} and not ${hasLiveJob(`array[${EVENT_KEY}]`)}
      order by received_at desc limit $2)
    union all
    (select 'settle-chain', json_build_object('chainName', chain_name), ${SETTLE_KEY}
      from (select distinct chain_name from payments.payout
        where state in ('waiting', 'sending') and created_at < $1::timestamptz) as owing
      where not ${hasLiveJob(SETTLE_KEYS)})
    union all
    (select 'confirm-payment', json_build_object('tenantId', relay.tenant_id, 'paymentId', payment_id, 'hash', hash),
        ${CONFIRM_KEY}
      from payments.relay as relay
      join payments.payment as payment on payment.tenant_id = relay.tenant_id and payment.id = relay.payment_id
        and payment.status = 'pending' and payment.signed_transaction = relay.raw
      where relay.state in ('stored', 'sent') and relay.created_at < $1::timestamptz
        and not ${hasLiveJob(CONFIRM_KEYS)}
      order by relay.created_at desc limit $2)`,
}

/** Exported for the test of its plan. */
export const FIND_SETTLEMENTS = {
  name: 'lost_settlements_find',
  text: `select tenant_id as "tenantId", id as "paymentId", tid_hash as hash from payments.payment as payment
      where status = 'pending' and tid_hash is not null and charge_id is null and updated_at < $1::timestamptz
        and not ${hasLiveJob(SETTLEMENT_KEYS)}
      order by updated_at desc limit $2`,
}

export function missingJobsStore({ pool }: Database) {
  return {
    /**
     * What has been open since `before` or longer without a job: so many of each kind, the newest first, so that what cannot
     * be helped does not keep the rest from its turn.
     */
    find: (before: Date, limit: number): Promise<MissingJob[]> =>
      run<MissingJob & Record<string, unknown>>(pool, FIND, [before.toISOString(), limit]),
    findSettlements: (before: Date, limit: number): Promise<MissingSettlement[]> =>
      run<MissingSettlement & Record<string, unknown>>(pool, FIND_SETTLEMENTS, [before.toISOString(), limit]),
  }
}
