/** The platform's fee of what a provider shares out by itself, locked with the charge; and what of it goes back with each refund. */
export const addPlatformFee = [
  'alter table payments.charge add column platform_fee text, add column fee_recipient text',
  'alter table payments.receipt_return add column platform_fee text',
]
