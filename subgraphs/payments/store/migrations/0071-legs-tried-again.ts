import { Migration } from '@mikro-orm/migrations'

/** Payouts that had more than one transaction: few, and the check of the ledger looks whether more than one of them paid. */
export class FindLegsTriedAgain extends Migration {
  override up(): void {
    this.addSql('create index on payments.batch_leg (tenant_id, payment_id, leg) where attempt > 1')
  }
}
