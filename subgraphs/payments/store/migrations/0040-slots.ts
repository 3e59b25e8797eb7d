import { Migration } from '@mikro-orm/migrations'

/** Blocks of Solana are slots, of which a sandbox has more than an integer holds. */
export class WidenBlockNumbers extends Migration {
  override up(): void {
    this.addSql('alter table payments.treasury_transaction alter column block_number type bigint')
  }
}
