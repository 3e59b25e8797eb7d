/** Where the payment page sends a payer back to. */
export const addReturnUrls = ['alter table payments.payment add column success_url text, add column cancel_url text']
