import { Migration } from '@mikro-orm/migrations'

export class AddFees extends Migration {
  override up(): void {
    this.addSql(`create table payments.tenant_fee (
      tenant_id text not null,
      rail text not null,
      percent numeric(4, 2) not null check (percent between 0 and 20),
      fixed numeric(6, 2) not null check (fixed between 0 and 1000),
      spread_percent numeric(4, 2) not null check (spread_percent between 0 and 10),
      primary key (tenant_id, rail)
    )`)
    this.addSql('create table payments.gas_recovery (tenant_id text primary key)')
    this.addSql(`alter table payments.quote add column fee_amount text not null default '0',
      add column spread_amount text not null default '0'`)
    this.addSql('alter table payments.receipt add column provider_fee text')
  }
}
