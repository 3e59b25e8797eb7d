import { IS_NOT_PAUSED } from './payout-pauses.js'

/** A transaction of the treasury that may still land: `subject` is its id. */
const MAY_LAND = `select from payments.treasury_transaction where batch_id = subject and state in ('stored', 'sent')`

/**
 * Payouts that waited for a transaction when the alert was raised last, and have none yet: others always wait where many are paid. Those
 * whose token is not listed are put off, and are the only ones to wait for another try that had none.
 */
const WAIT_SINCE = `select from payments.payout as payout where chain_name = subject and state = 'waiting' and ${IS_NOT_PAUSED}
  and (not_before <= last_at or waits_for = 'another_try' and attempt = 0 and failed_tries = 0)`

/** Payouts of which nobody can prove whether a transaction that landed has paid them. */
const UNPROVEN = `select from payments.batch_leg as leg join payments.payout as payout using (tenant_id, payment_id, leg)
  where leg.batch_id = subject and leg.outcome = 'unproven' and payout.attempt = leg.attempt and payout.state = 'held'`

/**
 * The rows that show that the cause of an alert is still there, for each kind whose cause the database shows. `subject` is the
 * alert's, and `last_at` when it was raised last. The other kinds are closed where their cause is seen to be gone, or by a person.
 */
const CAUSES: Readonly<Record<string, string>> = {
  treasury_shortage: `select from payments.payout where waits_for = 'funds' and chain_name = subject and state = 'waiting'`,
  screening_failed: `select from payments.payout where waits_for = 'screening' and chain_name = subject and state = 'waiting'`,
  payout_failed: `select from payments.payout where waits_for = 'another_try' and payment_id = subject
    and state in ('waiting', 'sending', 'held') union all ${MAY_LAND}`,
  payout_held: `select from payments.payout as payout where state = 'held' and (payment_id = subject or exists
    (select from payments.batch_leg as leg where leg.batch_id = subject and leg.tenant_id = payout.tenant_id
      and leg.payment_id = payout.payment_id and leg.leg = payout.leg and leg.attempt = payout.attempt))`,
  payout_unexpected: `select from payments.treasury_transaction where batch_id = subject and state = 'unexpected'
    union all ${MAY_LAND} union all ${UNPROVEN}`,
  payout_stuck: `${MAY_LAND} union all ${WAIT_SINCE}`,
  // One with earlier versions had its fees raised, as it was in no block for long, and has the time of the newest.
  operator_stuck: `select from payments.operator_transaction where chain_name = subject and state = 'stored'
    and (created_at <= last_at or earlier_hashes::text <> '[]')`,
  deposits_unread: `select from payments.unread_chain where chain_name = subject`,
  price_moved: `select from payments.accepted_price where base || '/' || quote = subject and held_rate is not null`,
}

/** Closes the alerts whose cause no row shows any more. */
export const CLOSE_GONE = {
  name: 'operator_alert_close_gone',
  text: `update payments.operator_alert as alert set closed_at = $1::timestamptz
    where closed_at is null and last_at < $2::timestamptz and case kind
      ${Object.entries(CAUSES)
        .map(([kind, cause]) => `when '${kind}' then not exists (${cause})`)
        .join('\n      ')}
      else false end`,
}
