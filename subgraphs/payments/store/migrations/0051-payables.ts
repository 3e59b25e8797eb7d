/**
 * What a card processor says that it keeps of received payments: a row for each part that it pays out, or takes back. And what of a
 * payout's fiat its tokens were converted for, which a refund that others have paid does not make less.
 */
export const keepPayables = [
  `create table payments.provider_payable (
      rail text not null,
      id text not null,
      tenant_id text not null,
      payment_id text not null,
      receipt_id text not null,
      type text not null,
      amount text not null,
      fee text not null,
      is_ours boolean not null,
      version int not null,
      booked_at timestamptz(3) not null,
      primary key (rail, id)
    )`,
  'alter table payments.payout add column converted_fiat text',
  'create index on payments.provider_payable (rail, receipt_id)',
]
