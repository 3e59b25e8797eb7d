import { REFUND_BALANCE } from '../model/ledger-entries.js'

/** What every account holds, by tenant: the closed balances and the lines since then; the parameter is that time. */
export const ACCOUNT_SUMS = `select tenant_id, account, currency, debit, credit from payments.ledger_balance
  union all select tenant_id, account, currency, debit, credit from payments.ledger_line where created_at >= ?::timestamptz`

/**
 * What has to hold between ledger and payments, each for what was booked or came to be since a time, its every parameter: what
 * lies before was proved when it was closed. Each names what it finds in a column `problem`.
 */
export const LEDGER_CHECKS = [
  `select format('entry %s of payment %s: %s does not balance', entry, payment_id, currency) as problem
    from payments.ledger_line where created_at >= ?::timestamptz
    group by tenant_id, payment_id, entry, currency having sum(debit) <> sum(credit)`,
  `select format('receipt %s of payment %s is not booked with its amount', id, payment_id) as problem
    from payments.receipt as receipt where created_at >= ?::timestamptz and not exists (
      select from payments.ledger_line as line
      where line.tenant_id = receipt.tenant_id and line.payment_id = receipt.payment_id
        and line.entry = 'receipt:' || receipt.id and line.currency = receipt.currency
        and line.account = 'provider:' || receipt.rail and line.debit = receipt.amount::numeric)`,
  `select format('payout %s of payment %s is confirmed and not booked once', leg, payment_id) as problem
    from payments.payout as payout where state = 'confirmed'
      and (confirmed_at is null or confirmed_at >= ?::timestamptz) and 1 <> (select count(*) from payments.ledger_line as line
      where line.tenant_id = payout.tenant_id and line.payment_id = payout.payment_id
        and line.entry = 'payout:' || payout.leg and line.currency = payout.symbol
        and line.account = 'treasury:' || payout.chain_name and line.credit = payout.amount::numeric)`,
  `select format('payment %s has a payout booked that is not confirmed: %s', line.payment_id, line.entry) as problem
    from payments.ledger_line as line where created_at >= ?::timestamptz and line.entry like 'payout:%' and not exists (
      select from payments.payout as payout where payout.tenant_id = line.tenant_id
        and payout.payment_id = line.payment_id and 'payout:' || payout.leg = line.entry and payout.state = 'confirmed')`,
  // Only what was tried again can have been paid twice; what is booked as that is told, and the books are right.
  // A transaction that was called dropped may land a day later.
  `select format('payout %s of payment %s was paid by %s transactions', leg, payment_id, count(*)) as problem
    from payments.batch_leg as paid where outcome = 'paid' and (tenant_id, payment_id, leg) in (
      select again.tenant_id, again.payment_id, again.leg from payments.batch_leg as again
        join payments.treasury_transaction as transaction on transaction.batch_id = again.batch_id
      where again.attempt > 1 and transaction.created_at >= ?::timestamptz - interval '7 days')
      and not exists (select from payments.treasury_transaction as version join payments.ledger_line as line
          on line.entry = 'overpaid:' || version.hash || ':' || paid.leg
        where version.batch_id = paid.batch_id and line.tenant_id = paid.tenant_id and line.payment_id = paid.payment_id
          and line.account = 'overpaid:' || version.chain_name and line.debit = paid.amount::numeric)
    group by tenant_id, payment_id, leg having count(*) > 1`,
  `select format('payment %s succeeded, and its receivers got %s instead of %s', payment.id,
      coalesce(sum(payout.amount::numeric) filter (where payout.state = 'confirmed'), 0), payment.amount_to) as problem
    from payments.payment as payment
    join payments.charge as charge on charge.tenant_id = payment.tenant_id and charge.id = payment.charge_id
    left join payments.payout as payout on payout.tenant_id = payment.tenant_id and payout.payment_id = payment.id
    where payment.status = 'success' and (payment.tenant_id, payment.id) in (
      select tenant_id, payment_id from payments.payout where state = 'confirmed' and confirmed_at >= ?::timestamptz
      union select tenant_id, payment_id from payments.charge where confirmed_at >= ?::timestamptz)
    group by payment.tenant_id, payment.id, payment.amount_to
    having coalesce(sum(payout.amount::numeric) filter (where payout.state = 'confirmed'), 0)
      + coalesce(sum(payout.withheld::numeric), 0) <> payment.amount_to::numeric`,
  `select format('return %s of payment %s is done and not booked', returned.id, receipt.payment_id) as problem
    from payments.receipt_return as returned
    join payments.receipt as receipt on receipt.rail = returned.rail and receipt.id = returned.receipt_id
    where coalesce(returned.ended_at, returned.created_at) >= ?::timestamptz and returned.status = 'done' and not exists (
      select from payments.ledger_line as line
      where line.tenant_id = receipt.tenant_id and line.payment_id = receipt.payment_id
        and line.entry = 'return:' || returned.receipt_id || ':' || returned.id)`,
  `select format('%s of receipt %s goes back to its payer, which is more than came', sum(returned.amount::numeric),
      receipt.id) as problem
    from payments.receipt_return as returned
    join payments.receipt as receipt on receipt.tenant_id = returned.tenant_id and receipt.rail = returned.rail
      and receipt.id = returned.receipt_id
    where returned.status <> 'refused' and not returned.forced and (returned.rail, returned.receipt_id) in (
      select rail, receipt_id from payments.receipt_return where created_at >= ?::timestamptz)
    group by receipt.tenant_id, receipt.rail, receipt.id
    having sum(returned.amount::numeric) > receipt.amount::numeric`,
] as const

/** The same of what accounts hold; the parameter is the time up to which balances are closed. */
export const BALANCE_CHECKS = [
  `select format('tenant %s is about to refund %s %s, and the ledger has %s', tenant_id, sum(open), currency, sum(booked))
      as problem
    from (select returned.tenant_id, receipt.currency, returned.amount::numeric as open, 0 as booked
        from payments.receipt_return as returned join payments.receipt as receipt on receipt.tenant_id = returned.tenant_id
          and receipt.rail = returned.rail and receipt.id = returned.receipt_id
        where returned.origin = 'tenant' and returned.status in ('requested', 'processing')
      union all select tenant_id, currency, 0, credit - debit from (${ACCOUNT_SUMS}) as held
        where account like 'refunds:%') as sides
    group by tenant_id, currency having sum(open) <> sum(booked)`,
  `select format('tenant %s has %s %s for refunds', tenant_id, sum(credit - debit), currency) as problem
    from (${ACCOUNT_SUMS}) as held where account = '${REFUND_BALANCE}' group by tenant_id, currency
    having sum(credit - debit) < 0`,
  `select format('%s %s is not balanced over all accounts: %s', currency, tenant_id, sum(debit - credit)) as problem
    from (${ACCOUNT_SUMS}) as held group by tenant_id, currency having sum(debit) <> sum(credit)`,
] as const

/** That what was closed is what its lines say. It reads every line there is. */
export const CLOSED_CHECK = `select format('account %s of tenant %s was closed with another balance of %s than its lines have',
    account, tenant_id, currency) as problem
  from (select tenant_id, account, currency, debit, credit from payments.ledger_balance
    union all select tenant_id, account, currency, -debit, -credit from payments.ledger_line
      where created_at < (select balanced_to from payments.ledger_fence)) as sides
  group by tenant_id, account, currency having sum(debit) <> 0 or sum(credit) <> 0`
