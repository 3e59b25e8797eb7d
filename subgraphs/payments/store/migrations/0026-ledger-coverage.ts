/**
 * What the gas payer spends is booked, so the hashes of all versions of its transactions are kept. What a provider or a chain
 * shows otherwise than the ledger is a row until it is gone, or an operator has explained it.
 */
export const coverEverything = [
  `alter table payments.operator_transaction add column earlier_hashes jsonb not null default '[]'`,
  `create table payments.difference (
      id bigint generated always as identity primary key,
      kind text not null,
      subject text not null,
      scope text not null,
      expected text,
      actual text,
      currency text,
      details text,
      found_at timestamptz(3) not null,
      seen_at timestamptz(3) not null,
      closed_at timestamptz(3),
      reason text,
      unique (kind, subject),
      check (closed_at is not null or reason is null)
    )`,
  'create index on payments.difference (scope) where closed_at is null',
]
