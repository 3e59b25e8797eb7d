import { Migration } from '@mikro-orm/migrations'

/** A tenant's refunds and disputes are read newest first, a page at a time, however many there are. */
export class IndexRefundLists extends Migration {
  override up(): void {
    this.addSql(`create index receipt_return_refunds on payments.receipt_return (tenant_id, created_at, refund_id)
      where refund_id is not null`)
    this
      .addSql(`create index receipt_return_disputes on payments.receipt_return (tenant_id, created_at, rail, receipt_id, id)
      where forced`)
  }
}
