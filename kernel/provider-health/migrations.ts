/**
 * What each process has seen of the providers. A process has rows of its own, so that none waits for another; who reads adds them up.
 */
const createProviderHealth = [
  `create table kernel.provider_state (
      process_id text not null,
      provider text not null,
      chain text not null,
      host text not null,
      state text check (state in ('answering', 'failing')),
      since timestamptz(3),
      last_answer_at timestamptz(3),
      last_failure_at timestamptz(3),
      last_failure text,
      seen_at timestamptz(3) not null,
      primary key (process_id, provider, chain, host)
    )`,
  'create index on kernel.provider_state (seen_at)',
  `create table kernel.provider_minute (
      minute timestamptz not null,
      process_id text not null,
      provider text not null,
      chain text not null,
      host text not null,
      calls integer not null,
      failures integer not null,
      slowest_ms integer not null,
      durations integer[] not null,
      primary key (minute, process_id, provider, chain, host)
    )`,
]

export const PROVIDER_HEALTH_MIGRATIONS = [{ name: '0010-provider-health', statements: createProviderHealth }] as const
