/**
 * A treasury may have several accounts on a chain, of which each is compared from a block of its own: what it held there is the owner's.
 * Those that have sent anything were compared with their chain from the chain's first block on. So was the one that the settings have now,
 * though it may have sent nothing: of its name only the settings know, and until they have told it is ''.
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
  `insert into payments.treasury_account (chain_name, account, first_block, shared_from)
    select substr(scope, length('chain:') + 1), '', first_block, first_block from payments.reconciliation
    where scope like 'chain:%' and first_block is not null`,
]
