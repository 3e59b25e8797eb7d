export const indexLists = [
  // Lists of payments that are narrowed by amounts or sorted by them; amounts have an order within their currency.
  'create index on payments.payment (tenant_id, from_currency_symbol, (amount_from::numeric), id)',
  'create index on payments.subscription (tenant_id, status, id)',
]
