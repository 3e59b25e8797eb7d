/** Operators look at payouts whose transaction is on its way, the oldest first: it may be cancelled as long as no block has it. */
export const findSentPayouts = [`create index on payments.payout (created_at, payment_id, leg) where state = 'sending'`]
