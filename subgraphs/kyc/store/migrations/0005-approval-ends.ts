import { Migration } from '@mikro-orm/migrations'

/** Approvals that a provider told at a session's creation had no end: they get the default life, from when they were written. */
export class EndApprovals extends Migration {
  override up(): void {
    this.addSql(`update kyc.person set approved_until = updated_at + interval '365 days'
      where status = 'approved' and approved_until is null`)
  }
}
