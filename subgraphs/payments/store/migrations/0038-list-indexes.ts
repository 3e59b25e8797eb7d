import { Migration } from '@mikro-orm/migrations'

export class IndexLists extends Migration {
  override up(): void {
    // Lists of payments that are narrowed by amounts or sorted by them; amounts have an order within their currency.
    this.addSql('create index on payments.payment (tenant_id, from_currency_symbol, (amount_from::numeric), id)')
    this.addSql('create index on payments.subscription (tenant_id, status, id)')
  }
}
