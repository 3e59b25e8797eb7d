export const createKyc = [
  // E-mail addresses and wallets: a keyed hash to find them by, and sealed to read them.
  `create table kyc.person (
      tenant_id text not null,
      id text not null,
      email_hash text,
      email_sealed text,
      email_verified_at timestamptz(3),
      wallet_hash text,
      wallet_sealed text,
      wallet_chain text check (wallet_chain in ('evm', 'solana')),
      wallet_verified_at timestamptz(3),
      status text not null check (status in ('pending', 'in_review', 'approved', 'declined', 'abandoned', 'expired')),
      session_id text,
      approved_until timestamptz(3),
      sequence int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id),
      unique (tenant_id, email_hash),
      unique (tenant_id, wallet_hash)
    )`,
  `create index on kyc.person (approved_until) where status = 'approved'`,
  // A session whose person was erased stays as a row without content: it still counts for the quota.
  `create table kyc.session (
      tenant_id text not null,
      id text not null,
      person_id text,
      verifier text not null,
      subject_kind text not null check (subject_kind in ('person', 'company')),
      provider_session_id text,
      url_sealed text,
      status text not null check (status in ('pending', 'in_review', 'approved', 'declined', 'abandoned', 'expired')),
      provider_status text,
      ip_info_sealed text,
      is_blocklisted boolean not null default false,
      checked_at timestamptz(3) not null,
      created_at timestamptz(3) not null,
      primary key (tenant_id, id),
      unique (verifier, provider_session_id)
    )`,
  'create index on kyc.session (tenant_id, created_at)',
  'create index on kyc.session (tenant_id, person_id, created_at)',
  `create table kyc.email_otp (
      tenant_id text not null,
      person_id text not null,
      code_hash text not null,
      attempts int not null check (attempts <= 5),
      expires_at timestamptz(3) not null,
      primary key (tenant_id, person_id)
    )`,
  `create table kyc.email_otp_send (
      tenant_id text not null,
      person_id text not null,
      code_hash text not null,
      sent_at timestamptz(3) not null
    )`,
  'create index on kyc.email_otp_send (tenant_id, person_id, sent_at)',
  `create table kyc.wallet_challenge (
      tenant_id text not null,
      nonce text not null,
      message_hash text not null,
      expires_at timestamptz(3) not null,
      used_at timestamptz(3),
      primary key (tenant_id, nonce)
    )`,
  'create index on kyc.wallet_challenge (expires_at)',
  `create table kyc.person_event (
      tenant_id text not null,
      person_id text not null,
      sequence int not null,
      cause text not null,
      snapshot_sealed text not null,
      created_at timestamptz(3) not null,
      primary key (tenant_id, person_id, sequence)
    )`,
  // Callbacks as they came, sealed; what was processed keeps its key only, so that a repeat is absorbed.
  `create table kyc.provider_event (
      verifier text not null,
      event_key text not null,
      body_sealed text,
      received_at timestamptz(3) not null,
      processed_at timestamptz(3),
      primary key (verifier, event_key)
    )`,
  'create index on kyc.provider_event (received_at)',
  `create table kyc.access_log (
      id bigint generated always as identity primary key,
      tenant_id text not null,
      person_id text not null,
      actor text not null,
      operation text not null,
      request_id text not null,
      accessed_at timestamptz(3) not null
    )`,
  'create index on kyc.access_log (tenant_id, person_id, accessed_at)',
]
