/**
 * Up to which block an address was read whose watch is over, and when the chain is asked how much has come there in all. Of watches that ended
 * before this nobody knows up to where they were read: of those of the last 60 days it is asked at once. The last week's go on; no
 * dropped block makes the others go on.
 */
export const endWatchesOnceRead = [
  `alter table payments.payment_address add column last_read_block bigint, add column look_back_at timestamptz(3)`,
  `update payments.payment_address as address set
      last_read_block = case when watch_until <= now() - interval '7 days' then 0 end,
      look_back_at = case when watch_until > now() - interval '60 days' then now() end
    where watch_until <= now()`,
  'create index on payments.payment_address (chain_name, watch_until) where last_read_block is null',
  'create index on payments.payment_address (chain_name, look_back_at) where look_back_at is not null',
]
