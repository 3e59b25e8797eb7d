/** A payer is told that his card could not be charged where it has not refused anything. */
export const tellUnchargedPeriods = [
  'alter table payments.subscription_mail drop constraint subscription_mail_reason_check',
  `alter table payments.subscription_mail add constraint subscription_mail_reason_check
      check (reason in ('due', 'refused', 'uncharged'))`,
]
