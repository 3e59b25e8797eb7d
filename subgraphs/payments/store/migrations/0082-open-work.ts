/**
 * More that is open, for whoever looks for work that no job is left for (0007): small beside the tables. Periods of before have no
 * attempt written down: one that lost its job long ago would charge its payer for what he has forgotten.
 */
export const indexMoreOpenWork = [
  'create index on payments.provider_event (received_at) where processed_at is null',
  'alter table payments.subscription_period add column next_attempt_at timestamptz(3)',
  `create index on payments.subscription_period (next_attempt_at)
      where state = 'open' and not held and next_attempt_at is not null`,
]
