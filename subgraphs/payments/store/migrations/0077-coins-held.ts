/** When a payout in coins was held last since it may have been made before a restore; null where it never was. */
export const addCoinsHeld = ['alter table payments.payout add column coins_held_at timestamptz(3)']
