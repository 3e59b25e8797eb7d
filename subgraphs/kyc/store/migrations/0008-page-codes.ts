/**
 * Codes that a payment's page asks for are apart from those that the tenant itself does, with tries and limits of their own. What was
 * sent before counts as the tenant's.
 */
export const separatePageCodes = [
  `create table kyc.page_otp (
      tenant_id text not null,
      person_id text not null,
      payment_id text not null,
      code_hash text not null,
      attempts int not null check (attempts <= 5),
      expires_at timestamptz(3) not null,
      primary key (tenant_id, person_id, payment_id)
    )`,
  'create index on kyc.page_otp (expires_at)',
  'alter table kyc.email_otp_send add column payment_id text',
]
