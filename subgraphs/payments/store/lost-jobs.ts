import { run, type Database } from '../../../kernel/database.js'

/** Work that is open while no job is left that would do it: the job's name, its payload and a key of its own. */
export interface LostJob {
  name: string
  payload: Record<string, string>
  key: string
}

/** A payment whose payer has paid and whose receivers wait, without a job; which one it needs depends on its chains. */
export interface LostSettlement {
  tenantId: string
  paymentId: string
  hash: string
}

export interface LostJobsStore {
  /**
   * What has been open since `before` or longer without a job: so many of each kind, the newest first, so that what cannot
   * be helped does not keep the rest from its turn.
   */
  find: (before: Date, limit: number) => Promise<LostJob[]>
  findSettlements: (before: Date, limit: number) => Promise<LostSettlement[]>
}

/** A job that has used up its tries stays in the table, and does nothing any more. */
const ALIVE = `with alive as materialized (
  select task.identifier as name, job.payload from graphile_worker._private_jobs as job
    join graphile_worker._private_tasks as task on task.id = job.task_id
    where job.attempts < job.max_attempts or job.locked_at is not null)`

/** Long after its watch a charge that the provider never ended is left to itself. */
const WATCHED_LONGEST = `interval '7 days'`

const FIND = {
  name: 'lost_jobs_find',
  text: `${ALIVE}
    (select 'watch-charge' as name, json_build_object('tenantId', tenant_id, 'chargeId', id) as payload,
        'watch-charge:' || id as key
      from payments.charge where state in ('creating', 'open') and created_at < $1::timestamptz
        and watch_until > $1::timestamptz - ${WATCHED_LONGEST}
        and not exists (select from alive where name = 'watch-charge' and alive.payload->>'chargeId' = charge.id)
      order by created_at desc limit $2)
    union all
    (select 'return-receipt', json_build_object('tenantId', tenant_id, 'rail', rail, 'receiptId', receipt_id, 'returnId', id),
        'return-receipt:' || receipt_id || ':' || id
      from payments.receipt_return as returned where status not in ('done', 'refused') and not forced
        and created_at < $1::timestamptz
        and not exists (select from alive where name = 'return-receipt' and alive.payload->>'receiptId' = returned.receipt_id
          and alive.payload->>'returnId' = returned.id)
      order by created_at desc limit $2)
    union all
    (select 'settle-chain', json_build_object('chainName', chain_name), 'settle-chain:' || chain_name
      from (select distinct chain_name from payments.payout
        where state in ('waiting', 'sending') and created_at < $1::timestamptz) as owing
      where not exists (select from alive where name = 'settle-chain' and alive.payload->>'chainName' = owing.chain_name))
    union all
    (select 'confirm-payment', json_build_object('tenantId', relay.tenant_id, 'paymentId', payment_id, 'hash', hash),
        'confirm-payment:' || hash
      from payments.relay as relay
      join payments.payment as payment on payment.tenant_id = relay.tenant_id and payment.id = relay.payment_id
        and payment.status = 'pending' and payment.signed_transaction = relay.raw
      where relay.state in ('stored', 'sent') and relay.created_at < $1::timestamptz
        and not exists (select from alive where name = 'confirm-payment' and alive.payload->>'hash' = relay.hash)
      order by relay.created_at desc limit $2)`,
}

const FIND_SETTLEMENTS = {
  name: 'lost_settlements_find',
  text: `${ALIVE}
    select tenant_id as "tenantId", id as "paymentId", tid_hash as hash from payments.payment as payment
      where status = 'pending' and tid_hash is not null and charge_id is null and updated_at < $1::timestamptz
        and not exists (select from alive where name in ('settle-split', 'follow-route')
          and alive.payload->>'paymentId' = payment.id and alive.payload->>'hash' = payment.tid_hash)
      order by updated_at desc limit $2`,
}

export function lostJobsStore({ pool }: Database): LostJobsStore {
  return {
    find: (before, limit) => run<LostJob & Record<string, unknown>>(pool, FIND, [before.toISOString(), limit]),
    findSettlements: (before, limit) =>
      run<LostSettlement & Record<string, unknown>>(pool, FIND_SETTLEMENTS, [before.toISOString(), limit]),
  }
}
