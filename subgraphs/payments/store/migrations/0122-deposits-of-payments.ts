/**
 * A place in a transaction is another payment's where another block has the transaction, and the payment that it was of keeps its row until its
 * block is read again. No release has the table yet, so nobody waits while the key is built.
 */
export const keepDepositsApart = [
  `alter table payments.deposit drop constraint deposit_pkey,
    add primary key (chain_name, hash, log_index, payment_id)`,
]
