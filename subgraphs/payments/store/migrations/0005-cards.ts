export const createCards = [
  // Receivers who get fiat from the card processor have no price in crypto.
  'alter table payments.charge alter column quote_id drop not null',
  'alter table payments.charge add column request_key text',
]
