const sums = `tenant_id text not null, account text not null, currency text not null, debit numeric(60, 18) not null,
      credit numeric(60, 18) not null`

/**
 * Closed periods of the ledger. What was booked before `closed_to` never changes and nothing is added to it; the balances hold all
 * lines before `balanced_to`, which follows as soon as they are summed.
 */
export const closeLedger = [
  `create table payments.ledger_fence (
      is_only boolean primary key default true check (is_only),
      closed_to timestamptz(3) not null,
      balanced_to timestamptz(3) not null,
      check (balanced_to <= closed_to)
    )`,
  `insert into payments.ledger_fence (closed_to, balanced_to) values ('epoch', 'epoch')`,
  `create table payments.ledger_balance (${sums}, primary key (tenant_id, account, currency))`,
  `create table payments.ledger_close (${sums}, closed_to timestamptz(3) not null,
      primary key (tenant_id, account, currency, closed_to))`,
  `create function payments.refuse_closed_insert() returns trigger language plpgsql as $$
      begin
        if exists (select from added join payments.ledger_fence on added.created_at < closed_to) then
          raise exception 'the ledger is closed up to %', (select closed_to from payments.ledger_fence);
        end if;
        return null;
      end $$`,
  `create trigger ledger_line_open_period after insert on payments.ledger_line
      referencing new table as added for each statement execute function payments.refuse_closed_insert()`,
  `create function payments.refuse_closed_change() returns trigger language plpgsql as $$
      begin
        if old.created_at < (select closed_to from payments.ledger_fence) then
          raise exception 'the ledger is closed up to %', (select closed_to from payments.ledger_fence);
        end if;
        return case tg_op when 'DELETE' then old else new end;
      end $$`,
  `create trigger ledger_line_closed_period before update or delete on payments.ledger_line
      for each row execute function payments.refuse_closed_change()`,
  // Lines come in the order of their times, so that a block-range index finds the new ones and costs next to nothing.
  'create index on payments.ledger_line using brin (created_at) with (pages_per_range = 32)',
  'create index on payments.ledger_line (tenant_id, created_at, payment_id, entry, line)',
  'drop index payments.ledger_line_account_currency_idx',
  'create index on payments.receipt (created_at)',
  `create index on payments.payout (confirmed_at) where state = 'confirmed'`,
  'create index on payments.charge (confirmed_at) where confirmed_at is not null',
  'create index on payments.treasury_transaction (created_at)',
  'create index on payments.receipt_return (created_at)',
  'create index on payments.receipt_return (coalesce(ended_at, created_at))',
  `create index on payments.receipt_return (tenant_id) where status in ('requested', 'processing')`,
]
