/** Passkeys of people, and the challenges that their authenticators sign. */
export const addPasskeys = [
  `create table accounts.passkey (
      id text not null primary key,
      person_id text not null,
      credential_id text not null unique,
      public_key text not null,
      counter bigint not null,
      transports text[] not null,
      name text not null,
      created_at timestamptz(3) not null,
      last_used_at timestamptz(3)
    )`,
  'create index on accounts.passkey (person_id)',
  // The owner is a session, or a browser that nobody has signed in with yet. The newest challenge of a purpose is the one that counts.
  `create table accounts.passkey_challenge (
      owner text not null,
      purpose text not null check (purpose in ('sign-in', 'prove', 'add')),
      challenge text not null,
      expires_at timestamptz(3) not null,
      primary key (owner, purpose)
    )`,
  'create index on accounts.passkey_challenge (expires_at)',
]
