/**
 * By which payments a transfer that was found on the chain names itself; null of what was found before. And whether a leg of such a
 * transaction has its payment's reference on it; null of all others.
 */
export const addCarriedReferences = [
  // For payouts that refunds have taken whole (0105). It comes first: who claims a payout locks it before what is changed below, and it takes
  // the longest.
  `create index payout_cancelled on payments.payout (chain_name, lower(receiver), symbol) where state = 'cancelled'`,
  'alter table payments.foreign_transfer add column payment_references text[]',
  'alter table payments.batch_leg add column is_named boolean',
  // A payout also finds what names its payment where that was taken for another's.
  'create index foreign_transfer_receiver on payments.foreign_transfer (chain_name, lower(receiver), symbol)',
  'drop index if exists payments.foreign_transfer_chain_name_lower_symbol_idx',
]
