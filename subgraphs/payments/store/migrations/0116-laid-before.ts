/** What lay at an address before it was opened, as by a payer who took the same address of another chain. */
export const keepWhatLaidBefore = [
  'alter table payments.payment_address add column laid_before numeric not null default 0',
]
