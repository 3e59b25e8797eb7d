/** What an operator has decided about a transaction of the treasury, and the state of one that needs such a decision. */
export const addInterventions = [
  `alter table payments.treasury_transaction add column cancelled_at timestamptz(3),
      drop constraint treasury_transaction_state_check, add constraint treasury_transaction_state_check
        check (state in ('stored', 'sent', 'confirmed', 'failed', 'void', 'unexpected'))`,
  `create index on payments.treasury_transaction (chain_name) where state = 'unexpected'`,
  `create index on payments.payout (payment_id) where state = 'held'`,
  `create table payments.intervention (
      id text primary key,
      chain_name text not null,
      batch_id text not null,
      action text not null check (action in ('retry', 'cancel', 'resolve')),
      reason text,
      ordered_by text not null,
      ordered_at timestamptz(3) not null,
      state text not null default 'ordered' check (state in ('ordered', 'done', 'refused')),
      result text,
      ended_at timestamptz(3)
    )`,
  // One decision at a time: two that contradict each other would both be carried out.
  `create unique index on payments.intervention (batch_id) where state = 'ordered'`,
  `create index on payments.intervention (batch_id, ordered_at)`,
]
