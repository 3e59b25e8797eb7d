import { Migration } from '@mikro-orm/migrations'

export class CreateCharges extends Migration {
  override up(): void {
    this.addSql('alter table payments.payment add column charge_id text')
    this.addSql(`create table payments.charge (
      tenant_id text not null,
      id text not null,
      payment_id text not null,
      attempt int not null,
      rail text not null,
      reference text not null,
      state text not null check (state in ('creating', 'open', 'paid', 'closed')),
      currency text not null,
      amount text not null,
      quote_id text not null,
      payer_masked text not null,
      payer_hash text not null,
      data jsonb,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      watch_until timestamptz(3) not null,
      confirmed_at timestamptz(3),
      primary key (tenant_id, id),
      unique (tenant_id, payment_id, attempt)
    )`)
    // The provider knows nothing of tenants: a callback names the reference alone.
    this.addSql('create unique index on payments.charge (rail, reference)')
    this.addSql(`create table payments.receipt (
      tenant_id text not null,
      rail text not null,
      id text not null,
      charge_id text not null,
      payment_id text not null,
      currency text not null,
      amount text not null,
      received_at timestamptz(3) not null,
      outcome text not null check (outcome in ('accepted', 'returned')),
      reason text,
      created_at timestamptz(3) not null,
      primary key (tenant_id, rail, id)
    )`)
    this.addSql('create unique index on payments.receipt (rail, id)')
    this.addSql('create index on payments.receipt (tenant_id, charge_id)')
    // Whatever else goes wrong, one payment takes the payer's money once.
    this.addSql(`create unique index on payments.receipt (tenant_id, payment_id) where outcome = 'accepted'`)
    this.addSql(`create table payments.receipt_return (
      tenant_id text not null,
      rail text not null,
      receipt_id text not null,
      id text not null,
      amount text not null,
      status text not null check (status in ('requested', 'processing', 'done', 'refused')),
      forced boolean not null,
      reason text not null,
      created_at timestamptz(3) not null,
      primary key (tenant_id, rail, receipt_id, id)
    )`)
    this.addSql(`create table payments.provider_event (
      provider text not null,
      event_key text not null,
      reference text,
      receipt_id text,
      sealed_content text not null,
      received_at timestamptz(3) not null,
      processed_at timestamptz(3),
      primary key (provider, event_key)
    )`)
  }
}
