export const createSettlement = [
  `create table payments.payout (
      tenant_id text not null,
      payment_id text not null,
      leg int not null,
      chain_name text not null,
      symbol text not null,
      receiver text not null,
      amount text not null,
      state text not null check (state in ('waiting', 'sending', 'confirmed', 'cancelled')),
      attempt int not null,
      not_before timestamptz(3) not null,
      hash text,
      created_at timestamptz(3) not null,
      confirmed_at timestamptz(3),
      primary key (tenant_id, payment_id, leg)
    )`,
  `create index on payments.payout (chain_name, created_at, payment_id, leg) where state = 'waiting'`,
  // The treasury belongs to the deployment: its nonces are one sequence for all tenants.
  `create table payments.treasury_transaction (
      chain_name text not null,
      hash text not null,
      account text not null,
      tenant_id text not null,
      payment_id text not null,
      leg int not null,
      attempt int not null,
      version int not null,
      nonce int,
      valid_until int,
      raw text not null,
      state text not null check (state in ('stored', 'sent', 'confirmed', 'failed', 'void')),
      created_at timestamptz(3) not null,
      primary key (chain_name, hash),
      unique (tenant_id, payment_id, leg, attempt, version)
    )`,
  'create unique index on payments.treasury_transaction (chain_name, account, nonce, version)',
  // A payout has one attempt on its way at most; the versions of an attempt share its nonce, so one of them lands.
  `create unique index on payments.treasury_transaction (tenant_id, payment_id, leg)
      where version = 0 and state in ('stored', 'sent')`,
  `create index on payments.treasury_transaction (chain_name, account) where state in ('stored', 'sent')`,
  `create table payments.ledger_line (
      tenant_id text not null,
      payment_id text not null,
      entry text not null,
      line int not null,
      account text not null,
      currency text not null,
      debit numeric(60, 18) not null check (debit >= 0),
      credit numeric(60, 18) not null check (credit >= 0),
      created_at timestamptz(3) not null,
      primary key (tenant_id, payment_id, entry, line),
      check ((debit = 0) <> (credit = 0))
    )`,
  'create index on payments.ledger_line (account, currency)',
  // An entry that does not balance cannot be committed, whatever program writes it.
  `create function payments.check_ledger_entry() returns trigger language plpgsql as $$
      begin
        if exists (select from payments.ledger_line
            where tenant_id = new.tenant_id and payment_id = new.payment_id and entry = new.entry
            group by currency having sum(debit) <> sum(credit)) then
          raise exception 'the ledger entry % of payment % does not balance', new.entry, new.payment_id;
        end if;
        return null;
      end $$`,
  `create constraint trigger ledger_entry_balances after insert or update on payments.ledger_line
      deferrable initially deferred for each row execute function payments.check_ledger_entry()`,
  `create table payments.operator_alert (
      kind text not null,
      subject text not null,
      count int not null,
      details text,
      first_at timestamptz(3) not null,
      last_at timestamptz(3) not null,
      primary key (kind, subject)
    )`,
]
