/**
 * A person is known by one identity from here on; an address sent along with a wallet is a note on the wallet's person.
 * Rows that have both keep the wallet, and lose their session and approval: whose they were, nobody knows.
 */
export const linkEmails = [
  `alter table kyc.person
      add column linked_email_hash text,
      add column linked_email_sealed text,
      add column linked_email_at timestamptz(3),
      add column subject_ref text,
      add unique (tenant_id, linked_email_hash)`,
  // Their codes and how many were sent were the address's.
  ...['email_otp', 'email_otp_send'].map(
    (table) => `delete from kyc.${table} o using kyc.person p where p.tenant_id = o.tenant_id and p.id = o.person_id
        and p.email_hash is not null and p.wallet_hash is not null`,
  ),
  // The provider gives an unfinished session of the same subject again, so these people are new subjects to it.
  `update kyc.person set linked_email_hash = email_hash, linked_email_sealed = email_sealed,
      linked_email_at = updated_at, email_hash = null, email_sealed = null, email_verified_at = null,
      status = 'pending', session_id = null, approved_until = null, subject_ref = gen_random_uuid()::text
      where email_hash is not null and wallet_hash is not null`,
  `alter table kyc.person
      add constraint person_one_identity check (num_nonnulls(email_hash, wallet_hash) <= 1),
      add constraint person_link_of_wallet check (linked_email_hash is null or wallet_hash is not null)`,
]
