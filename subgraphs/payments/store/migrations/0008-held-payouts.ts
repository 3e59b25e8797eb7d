import { Migration } from '@mikro-orm/migrations'

export class HoldPayouts extends Migration {
  override up(): void {
    this.addSql(`alter table payments.payout drop constraint payout_state_check, add constraint payout_state_check
      check (state in ('waiting', 'sending', 'confirmed', 'cancelled', 'held'))`)
  }
}
