import { Migration } from '@mikro-orm/migrations'

/** Subscriptions that begin with a trial, one for a payer and an order. */
export class AddTrials extends Migration {
  override up(): void {
    this.addSql(`alter table payments.subscription add column trial_ends_at timestamptz, add column trial_key text`)
    this.addSql(`create unique index subscription_trial on payments.subscription (tenant_id, trial_key)
      where trial_key is not null`)
  }
}
