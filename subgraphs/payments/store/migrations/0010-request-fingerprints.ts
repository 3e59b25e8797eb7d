export const addRequestFingerprints = [
  // Beside the key of the request that charged at once: the same key with another body is another request.
  'alter table payments.charge add column request_fingerprint text',
  // A filter of the list, newest first.
  'create index on payments.payment (tenant_id, transaction_type, id)',
]
