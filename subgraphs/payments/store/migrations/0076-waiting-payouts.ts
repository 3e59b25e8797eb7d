/**
 * What keeps payouts waiting: how far the list of what names a treasury on Solana has been read, page by page, and since when payouts wait
 * for that. `look_head`: the newest signature of the look under way; `look_before`: what is newer is read; `look_until`: where it ends. And how
 * often a payout had no transaction because that would have failed.
 */
export const tellWhatPayoutsWaitFor = [
  `alter table payments.treasury_cursor add column look_head text, add column look_before text,
      add column look_until text, add column unread_since timestamptz(3)`,
  'alter table payments.payout add column failed_tries int not null default 0',
]
