/**
 * Since when no node shows a transaction that paid: after a while an operator is told, and it keeps its payer from nothing any more. And
 * the payers of rows that were written before these had one.
 */
export const addMissingSince = [
  'alter table payments.relay add column missing_since timestamptz(3)',
  `update payments.relay set payer = lower(payment.payer_wallet) from payments.payment
    where relay.payer is null and payment.tenant_id = relay.tenant_id and payment.id = relay.payment_id
      and payment.signed_transaction = relay.raw and (relay.check_at is not null or relay.state in ('stored', 'sent'))`,
]
