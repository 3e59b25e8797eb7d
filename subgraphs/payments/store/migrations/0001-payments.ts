import { Migration } from '@mikro-orm/migrations'

export class CreatePayments extends Migration {
  override up(): void {
    this.addSql(`create table payments.payment (
      tenant_id text not null,
      id text not null,
      status text not null check (status in ('registered', 'pending', 'success', 'error', 'reproved')),
      sequence int not null,
      executor_id text not null,
      order_code text,
      public_client_id text,
      webhook_url text,
      payment_method_allowed jsonb not null,
      split_payment_config jsonb not null,
      gateway_method text not null check (gateway_method in ('direct', 'subs')),
      from_currency_symbol text not null,
      amount_from text not null,
      to_currency_symbol text not null,
      amount_to text,
      to_chain text,
      on_ramp boolean not null,
      transaction_type text,
      payer_email text,
      payer_wallet text,
      payer_token_symbol text,
      payer_cpf text,
      chain_name text,
      unsigned_transaction jsonb,
      signed_transaction text,
      tid_hash text,
      global_payment_data jsonb,
      data_error jsonb,
      quote_id text,
      metadata jsonb,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id)
    )`)
    // Ids are time-ordered, so the primary key also serves the list, newest first; these serve its filters.
    this.addSql('create index on payments.payment (tenant_id, status, id)')
    this.addSql('create index on payments.payment (tenant_id, order_code, id) where order_code is not null')
    this.addSql(`create table payments.payment_event (
      tenant_id text not null,
      payment_id text not null,
      sequence int not null,
      type text not null,
      cause text not null,
      change jsonb not null,
      notify boolean not null,
      created_at timestamptz(3) not null,
      primary key (tenant_id, payment_id, sequence)
    )`)
    this.addSql(`create table payments.quote (
      tenant_id text not null,
      id text not null,
      payment_id text not null,
      from_currency_symbol text not null,
      amount_from text not null,
      to_currency_symbol text not null,
      amount_to text not null,
      rate text not null,
      source text not null,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      primary key (tenant_id, id)
    )`)
    this.addSql('create index on payments.quote (tenant_id, payment_id)')
  }
}
