export const createRateCount = [
  // Unlogged: counts live a minute, are rewritten four times a second and may be lost with the server. The free space
  // in each page lets a row be rewritten in place, without touching the index.
  `create unlogged table gateway.rate_count (
      key text not null,
      process_id text not null,
      seconds json not null,
      leaves_at_ms bigint not null,
      primary key (key, process_id)
    ) with (fillfactor = 40)`,
]
