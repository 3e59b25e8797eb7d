/** How many replays and test events a tenant may order on a day (UTC), together: each begins up to ten attempts. */
export const REPLAYS_A_DAY = 10_000

/**
 * Counts a replay or a test event of the tenant $1 on the day $2; no row where $3 were counted on it. Of two processes whose clocks
 * differ at midnight the later day counts.
 */
export const COUNT_REPLAY = {
  name: 'webhook_count_replay',
  text: `insert into accounts.webhook_replays as counted (tenant_id, day, count) values ($1, $2::date, 1)
    on conflict (tenant_id) do update set day = greatest(counted.day, excluded.day),
      count = case when excluded.day > counted.day then 1 else counted.count + 1 end
      where excluded.day > counted.day or counted.count < $3::int
    returning count`,
}
