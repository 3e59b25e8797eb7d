export const createPeople = [
  `create table accounts.person (
      id text not null primary key,
      email text not null unique,
      created_at timestamptz(3) not null,
      verified_at timestamptz(3)
    )`,
  `create table accounts.membership (
      tenant_id text not null,
      person_id text not null,
      role text not null check (role in ('owner', 'developer', 'support', 'viewer')),
      created_at timestamptz(3) not null,
      primary key (tenant_id, person_id)
    )`,
  'create index on accounts.membership (person_id, tenant_id)',
  // Not of a person: whoever signs in for the first time is none yet.
  `create table accounts.sign_in_code (
      email text not null,
      purpose text not null check (purpose in ('sign-in', 'prove')),
      code_hash text not null,
      attempts integer not null,
      expires_at timestamptz(3) not null,
      primary key (email, purpose)
    )`,
  `create table accounts.sign_in_code_send (
      email text not null,
      code_hash text not null,
      sent_at timestamptz(3) not null
    )`,
  'create index on accounts.sign_in_code_send (email, sent_at)',
  'create index on accounts.sign_in_code_send (sent_at)',
  // Found by the hash of what the cookie holds, as keys are; the tenant is the one that was chosen.
  `create table accounts.session (
      id text not null primary key,
      hash text not null unique,
      person_id text not null,
      tenant_id text,
      address text not null,
      agent text not null,
      created_at timestamptz(3) not null,
      last_used_at timestamptz(3) not null,
      proven_at timestamptz(3) not null
    )`,
  'create index on accounts.session (person_id)',
]
