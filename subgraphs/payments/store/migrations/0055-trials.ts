/** Subscriptions that begin with a trial, one for a payer and an order. */
export const addTrials = [
  `alter table payments.subscription add column trial_ends_at timestamptz, add column trial_key text`,
  `create unique index subscription_trial on payments.subscription (tenant_id, trial_key)
      where trial_key is not null`,
]
