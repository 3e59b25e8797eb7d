/** Alerts that open and close, why a payout waits, and acts that a second operator has to confirm. */
export const addOperatorActs = [
  `alter table payments.operator_alert
      add column id bigint generated always as identity,
      add column closed_at timestamptz(3),
      add column closed_by text,
      add column reason text,
      drop constraint operator_alert_pkey,
      add primary key (id)`,
  // One is open of each kind and subject; what was closed before stays.
  `create unique index on payments.operator_alert (kind, subject) where closed_at is null`,
  `create index on payments.operator_alert (kind, subject)`,
  `create index on payments.operator_alert (id) where closed_at is null`,
  `alter table payments.payout add column waits_for text
      check (waits_for in ('funds', 'screening', 'another_try'))`,
  `create index on payments.payout (waits_for, chain_name)
      where waits_for is not null and state in ('waiting', 'sending', 'held')`,
  `create index on payments.payout (created_at, payment_id, leg) where state in ('waiting', 'held')`,
  `create table payments.operator_proposal (
      action text not null check (action in ('retry', 'cancel', 'resolve', 'release')),
      subject text not null,
      reason text,
      proposed_by text not null,
      proposer_email text not null,
      proposed_at timestamptz(3) not null,
      primary key (action, subject)
    )`,
  // What is released has no transaction: the payment stands in its place.
  `alter table payments.intervention add column proposed_by text,
      drop constraint intervention_action_check, add constraint intervention_action_check
        check (action in ('retry', 'cancel', 'resolve', 'release'))`,
]
