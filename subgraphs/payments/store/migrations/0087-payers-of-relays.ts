/** Whose wallet signed what is not final: a payer's next transaction must not take the nonce of one that paid, and that the chain has dropped. */
export const addPayersOfRelays = [
  'alter table payments.relay add column payer text',
  `update payments.relay set payer = lower(payment.payer_wallet) from payments.payment
    where payment.tenant_id = relay.tenant_id and payment.id = relay.payment_id and payment.signed_transaction = relay.raw
      and (relay.check_at is not null or relay.state in ('stored', 'sent'))`,
  'create index on payments.relay (chain_name, payer) where check_at is not null',
]
