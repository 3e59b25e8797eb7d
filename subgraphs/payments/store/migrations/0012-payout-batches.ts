/**
 * A transaction of the treasury pays several payouts: each is a leg of the transaction's batch. What was signed before is a
 * batch of one leg.
 */
export const batchPayouts = [
  'alter table payments.treasury_transaction add column batch_id text',
  `update payments.treasury_transaction set batch_id = concat_ws('/', tenant_id, payment_id, leg, attempt)`,
  'alter table payments.treasury_transaction alter column batch_id set not null',
  `create table payments.batch_leg (
      batch_id text not null,
      position int not null,
      tenant_id text not null,
      payment_id text not null,
      leg int not null,
      attempt int not null,
      amount text not null,
      outcome text check (outcome in ('paid', 'unpaid', 'unproven', 'void')),
      primary key (batch_id, position),
      unique (tenant_id, payment_id, leg, attempt)
    )`,
  `insert into payments.batch_leg
      select batch_id, 0, tenant_id, payment_id, leg, attempt, (select amount from payments.payout as payout
          where payout.tenant_id = treasury_transaction.tenant_id and payout.payment_id = treasury_transaction.payment_id
            and payout.leg = treasury_transaction.leg),
        case when bool_or(state in ('stored', 'sent')) then null when bool_or(state = 'confirmed') then 'paid'
          when bool_or(state = 'failed') then 'unpaid' else 'void' end
      from payments.treasury_transaction group by batch_id, tenant_id, payment_id, leg, attempt`,
  `alter table payments.treasury_transaction drop column tenant_id, drop column payment_id, drop column leg,
      drop column attempt`,
  'create unique index on payments.treasury_transaction (batch_id, version)',
]
