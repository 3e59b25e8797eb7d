/** An event holds the order as it then was, as all of before do, or what it changed. */
export const keepOrderChanges = [
  'alter table orders.order_event alter column snapshot drop not null, add column changes jsonb',
  // Not checked for the rows that are there, which would hold up writes: they all have the order.
  `alter table orders.order_event add constraint order_event_snapshot_or_changes
      check (num_nonnulls(snapshot, changes) = 1) not valid`,
]
