import { Migration } from '@mikro-orm/migrations'

/** Codes to sign in and codes to prove are counted apart. What was sent before counts as asked for by a stranger. */
export class SeparateCodeBudgets extends Migration {
  override up(): void {
    this.addSql(`alter table accounts.sign_in_code_send add column purpose text not null default 'sign-in'
      check (purpose in ('sign-in', 'prove'))`)
    this.addSql('drop index accounts.sign_in_code_send_email_sent_at_idx')
    this.addSql('create index on accounts.sign_in_code_send (email, purpose, sent_at)')
  }
}
