/** What is open, for whoever looks for work that no job is left for: small beside the tables. */
export const indexOpenWork = [
  `create index on payments.charge (created_at) where state in ('creating', 'open')`,
  `create index on payments.relay (created_at) where state in ('stored', 'sent')`,
  `create index on payments.payment (updated_at) where status = 'pending' and tid_hash is not null`,
  `create index on payments.payout (chain_name, created_at) where state in ('waiting', 'sending')`,
  `create index on payments.receipt_return (created_at) where status not in ('done', 'refused')`,
]
