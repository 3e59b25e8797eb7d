import { Migration } from '@mikro-orm/migrations'

export class AddRefundReserve extends Migration {
  override up(): void {
    this.addSql(`create table payments.refund_reserve (
      tenant_id text primary key,
      percent numeric(4, 2) not null check (percent > 0 and percent <= 50)
    )`)
  }
}
