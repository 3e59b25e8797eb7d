/** The last price of a pair by which money moved, and the one that is held because it is too far from it. */
export const acceptPrices = [
  `create table payments.accepted_price (
      base text not null,
      quote text not null,
      rate numeric not null check (rate > 0),
      accepted_at timestamptz(3) not null,
      held_rate numeric check (held_rate > 0),
      held_readings integer not null default 0,
      held_at timestamptz(3),
      primary key (base, quote),
      check (base < quote),
      check ((held_rate is null) = (held_at is null))
    )`,
]
