/** As which of its order's events left it a payment was registered; null where it came from none, and of payments from before. */
export const addOrderSequences = ['alter table payments.payment add column order_sequence int']
