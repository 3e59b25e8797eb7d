/** What of a refund each of those bears whom the provider has shared the money out to. */
export const keepRefundShares = ['alter table payments.receipt_return add column shares jsonb']
