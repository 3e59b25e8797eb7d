import { Migration } from '@mikro-orm/migrations'

/** Where the treasury's transactions are on Solana; slots may be more than a block number's integer holds. */
export class AddSlots extends Migration {
  override up(): void {
    this.addSql('alter table payments.treasury_transaction add column slot bigint')
    this.addSql(`create index on payments.treasury_transaction (chain_name, account, (coalesce(slot, block_number)))
      where state = 'confirmed'`)
  }
}
