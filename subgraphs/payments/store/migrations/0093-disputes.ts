/**
 * What the version before has left to be paid though a bank decides about its payer's money: that was held only where the bank asked for it
 * since. An operator who has let it be paid meanwhile does so once more.
 */
export const HOLD_UNDECIDED = `with undecided as (
    select distinct receipt.tenant_id, receipt.payment_id from payments.receipt_return as returned
      join payments.receipt as receipt on receipt.tenant_id = returned.tenant_id and receipt.rail = returned.rail
        and receipt.id = returned.receipt_id
      where returned.forced and returned.status = 'processing' and receipt.outcome = 'accepted'
  ), held as (
    update payments.payout as payout set state = 'held', hold_reason = 'partly_taken_back' from undecided
      where payout.tenant_id = undecided.tenant_id and payout.payment_id = undecided.payment_id
        and (payout.state = 'waiting' or payout.state = 'held' and payout.hold_reason = 'wallet_refused')
      returning payout.payment_id
  )
  insert into payments.operator_alert (kind, subject, count, details, first_at, last_at)
    select 'payout_held', payment_id, 1, count(*) || ' payouts wait for a decision: the provider has not decided yet whether it takes money back',
      now(), now() from held group by payment_id
    on conflict (kind, subject) where closed_at is null do nothing`

/** What was never tried has nothing else in `not_before`. */
export const KEEP_DELAYS = `update payments.payout set delayed_until = not_before where waits_for is null and not_before > created_at
    and (state = 'waiting' and hold_reason = 'delay' or state = 'held' and hold_reason in ('partly_taken_back', 'treasury_cap'))`

/**
 * Until when a tenant's delay holds a payout, whatever else holds it meanwhile: `not_before` is also the time of its next try. And what an
 * event of a provider expects its answer to show, which a job alone would forget.
 */
export const keepDisputes = [
  'alter table payments.payout add column delayed_until timestamptz(3)',
  KEEP_DELAYS,
  HOLD_UNDECIDED,
  'alter table payments.provider_event add column expected jsonb',
]
