import { Migration } from '@mikro-orm/migrations'

/** Serves the removal of broadcasts that are long over. */
export class FindOldBroadcasts extends Migration {
  override up(): void {
    this.addSql('create index on yield.relay (created_at)')
  }
}
