/**
 * A code to sign in is of the browser that asked for it, with tries of its own, apart from `sign_in_code`, which keeps codes to prove
 * (and what gateways of the version before ask for). Browsers in which somebody has signed in with an address are kept, and who asked
 * for each code: those and strangers are counted apart.
 */
export const separateBrowserCodes = [
  `create table accounts.browser_code (
      email text not null,
      browser_hash text not null,
      code_hash text not null,
      attempts integer not null,
      expires_at timestamptz(3) not null,
      primary key (email, browser_hash)
    )`,
  'create index on accounts.browser_code (expires_at)',
  `create table accounts.known_browser (
      email text not null,
      browser_hash text not null,
      signed_in_at timestamptz(3) not null,
      primary key (email, browser_hash)
    )`,
  'create index on accounts.known_browser (signed_in_at)',
  `alter table accounts.sign_in_code_send add column asked_from text not null default '',
      add column is_strange boolean not null default false`,
]
