/** A node that is behind is waited for from when a look first found nothing, however old the transaction is. */
export const waitForMissingGas = [`alter table payments.operator_transaction add column missing_since timestamptz(3)`]
