/** Where the payment page of an order's payments sends a payer back to. */
export const addReturnUrls = [
  'alter table orders.payment_order add column success_url text, add column cancel_url text',
]
