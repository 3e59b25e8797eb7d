export const holdPayouts = [
  `alter table payments.payout drop constraint payout_state_check, add constraint payout_state_check
      check (state in ('waiting', 'sending', 'confirmed', 'cancelled', 'held'))`,
]
