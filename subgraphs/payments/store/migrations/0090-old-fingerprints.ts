/** The fingerprints that are still kept, by age: few, as they go with the keys of their requests. */
export const indexFingerprints = ['create index on payments.charge (created_at) where request_fingerprint is not null']
