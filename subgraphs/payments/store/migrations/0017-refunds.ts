export const addRefunds = [
  'alter table payments.payment add column refunded_amount text',
  // By whose order money goes back. Before, a refund by order was of money that no payment took.
  `alter table payments.receipt_return add column origin text not null default 'service'
        check (origin in ('service', 'tenant', 'provider')),
      add column refund_id text, add column sent_at timestamptz(3), add column ended_at timestamptz(3)`,
  `update payments.receipt_return as returned set origin = 'provider' from payments.receipt as receipt
      where receipt.tenant_id = returned.tenant_id and receipt.rail = returned.rail and receipt.id = returned.receipt_id
        and (returned.forced or receipt.outcome = 'accepted')`,
  'create unique index on payments.receipt_return (tenant_id, refund_id) where refund_id is not null',
  // What of a payout was taken off for refunds, and its part of the payer's money that nobody was given back.
  `alter table payments.payout add column withheld text not null default '0',
      add column fiat_amount text not null default '0'`,
  `update payments.payout as payout set fiat_amount = trim_scale(fiat)::text from (
        select tenant_id, payment_id, leg, running - coalesce(lag(running) over legs, 0) as fiat from (
          select payout.*, round(receipt.amount::numeric * sum(payout.amount::numeric) over legs
              / sum(payout.amount::numeric) over (partition by payout.tenant_id, payout.payment_id), 2) as running
          from payments.payout as payout join payments.receipt as receipt on receipt.tenant_id = payout.tenant_id
            and receipt.payment_id = payout.payment_id and receipt.outcome = 'accepted'
          window legs as (partition by payout.tenant_id, payout.payment_id order by payout.leg)
        ) as share window legs as (partition by tenant_id, payment_id order by leg)
      ) as part where (part.tenant_id, part.payment_id, part.leg) = (payout.tenant_id, payout.payment_id, payout.leg)`,
  `create index on payments.ledger_line (tenant_id, currency) where account = 'tenant:refunds'`,
]
