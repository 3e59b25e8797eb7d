/** Payouts that had more than one transaction: few, and the check of the ledger looks whether more than one of them paid. */
export const findLegsTriedAgain = ['create index on payments.batch_leg (tenant_id, payment_id, leg) where attempt > 1']
