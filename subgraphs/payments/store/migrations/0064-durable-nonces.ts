/**
 * What the treasury's transactions on Solana live by. No two batches may ever have the same nonce of an account: one would never
 * land. Accounts that got theirs in the same block hold the same.
 */
export const addDurableNonces = [
  `alter table payments.treasury_transaction
      add column nonce_account text, add column nonce_value text, add column nonce_slot bigint`,
  `create unique index treasury_transaction_durable_nonce
      on payments.treasury_transaction (chain_name, nonce_account, nonce_value, version) where nonce_value is not null`,
]
