/** How often a transaction that a node had called good has landed and not paid a payout. */
export const addRevertedTries = ['alter table payments.payout add column reverted_tries int not null default 0']
