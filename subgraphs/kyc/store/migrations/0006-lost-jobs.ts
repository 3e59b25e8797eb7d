/** What it takes to add a lost job again: the session that a callback is about, and the provider's id of one that it is to forget. */
export const findLostJobs = [
  'alter table kyc.provider_event add column session_id text',
  'create index on kyc.provider_event (received_at) where processed_at is null',
  'create index on kyc.provider_event (received_at) where body_sealed is not null',
  'alter table kyc.session add column to_forget text',
  'create index on kyc.session (verifier, to_forget) where to_forget is not null',
]
