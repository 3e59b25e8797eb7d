/** Codes to sign in and codes to prove are counted apart. What was sent before counts as asked for by a stranger. */
export const separateCodeBudgets = [
  `alter table accounts.sign_in_code_send add column purpose text not null default 'sign-in'
      check (purpose in ('sign-in', 'prove'))`,
  'drop index accounts.sign_in_code_send_email_sent_at_idx',
  'create index on accounts.sign_in_code_send (email, purpose, sent_at)',
]
