/** Where the treasury's transactions are on Solana; slots may be more than a block number's integer holds. */
export const addSlots = [
  'alter table payments.treasury_transaction add column slot bigint',
  `create index on payments.treasury_transaction (chain_name, account, (coalesce(slot, block_number)))
      where state = 'confirmed'`,
]
