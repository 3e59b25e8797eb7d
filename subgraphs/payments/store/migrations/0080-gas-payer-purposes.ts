/** What the gas payer has sent for a purpose before is looked up where it may have to send for it again. */
export const findGasPayerPurposes = ['create index on payments.operator_transaction (purpose)']
