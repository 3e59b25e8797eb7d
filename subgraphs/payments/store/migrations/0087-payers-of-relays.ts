/** Whose wallet signed what is not final: a payer's next transaction must not take the nonce of one that paid, and that the chain has dropped. */
export const addPayersOfRelays = [
  'alter table payments.relay add column payer text',
  'create index on payments.relay (chain_name, payer) where check_at is not null',
]
