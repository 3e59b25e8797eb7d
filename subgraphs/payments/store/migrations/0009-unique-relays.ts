export const makeRelaysUnique = [
  // A payer's transaction pays one payment, whichever tenant's.
  'create unique index on payments.relay (chain_name, hash)',
]
