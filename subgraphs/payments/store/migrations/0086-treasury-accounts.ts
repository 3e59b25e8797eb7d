/**
 * A treasury may have several accounts on a chain, of which each is compared from a block of its own: what it held there is the owner's.
 * Those that have sent anything were compared with their chain from the chain's first block on.
 */
export const addTreasuryAccounts = [
  `create table payments.treasury_account (
      chain_name text not null,
      account text not null,
      first_block bigint not null,
      shared_from bigint not null,
      primary key (chain_name, account)
    )`,
  `insert into payments.treasury_account (chain_name, account, first_block, shared_from)
    select distinct transaction.chain_name, transaction.account, reconciliation.first_block, reconciliation.first_block
    from payments.treasury_transaction as transaction
    join payments.reconciliation as reconciliation on reconciliation.scope = 'chain:' || transaction.chain_name
    where reconciliation.first_block is not null`,
]
