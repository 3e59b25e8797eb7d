import { Migration } from '@mikro-orm/migrations'

export class DeleteOrders extends Migration {
  override up(): void {
    this.addSql(`alter table orders.payment_order add column deleted boolean not null default false`)
    // A deleted order keeps its number, so numbers go on above 20: what is counted is the orders that are left.
    this.addSql(`alter table orders.payment_order drop constraint payment_order_number_check`)
    this.addSql(`alter table orders.payment_order add check (number > 0)`)
    this.addSql(`alter table orders.order_count add column last_number int not null default 0`)
    this.addSql(`update orders.order_count set last_number = orders`)
    this.addSql(`alter table orders.order_count add check (orders between 0 and 20)`)
  }
}
