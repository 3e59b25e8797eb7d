import type { Clock } from '../clock.js'
import { run, type Queryable } from '../database.js'
import type { ProviderMinute, SeenProvider } from './record-calls.js'

/** A minute is written with all that was counted in it, so that writing it once more changes nothing. */
const WRITE = {
  name: 'provider_health_write',
  text: `with states as (
    insert into kernel.provider_state
      (process_id, provider, chain, host, state, since, last_answer_at, last_failure_at, last_failure, seen_at)
    select $1, provider, chain, host, state, since, last_answer_at, last_failure_at, last_failure, $2::timestamptz
      from jsonb_to_recordset($3::jsonb) as given (provider text, chain text, host text, state text, since timestamptz,
        last_answer_at timestamptz, last_failure_at timestamptz, last_failure text)
    on conflict (process_id, provider, chain, host) do update set state = excluded.state, since = excluded.since,
      last_answer_at = excluded.last_answer_at, last_failure_at = excluded.last_failure_at,
      last_failure = excluded.last_failure, seen_at = excluded.seen_at)
  insert into kernel.provider_minute (minute, process_id, provider, chain, host, calls, failures, slowest_ms, durations)
  select minute, $1, provider, chain, host, calls, failures, slowest_ms, durations
    from jsonb_to_recordset($4::jsonb) as given (minute timestamptz, provider text, chain text, host text, calls integer,
      failures integer, slowest_ms integer, durations integer[])
  on conflict (minute, process_id, provider, chain, host) do update set calls = excluded.calls,
    failures = excluded.failures, slowest_ms = excluded.slowest_ms, durations = excluded.durations`,
}

/** Writes what a process has seen, in one statement. @throws where the database does not take it; nothing is written then */
export async function writeHealth(
  on: Queryable,
  { processId, now }: { processId: string; now: Date },
  { providers, minutes }: { providers: readonly SeenProvider[]; minutes: readonly ProviderMinute[] },
): Promise<void> {
  await run(on, WRITE, [
    processId,
    now.toISOString(),
    JSON.stringify(providers.map(stateRow)),
    JSON.stringify(minutes.map(minuteRow)),
  ])
}

function stateRow(seen: SeenProvider): object {
  const { provider, chain, host, state, sinceMs, lastAnswerMs, lastFailureMs, lastFailure } = seen
  return {
    ...{ provider, chain, host, state, last_failure: lastFailure },
    since: isoOf(sinceMs),
    last_answer_at: isoOf(lastAnswerMs),
    last_failure_at: isoOf(lastFailureMs),
  }
}

function minuteRow({ provider, chain, host, calls, failures, minuteMs, slowestMs, durations }: ProviderMinute): object {
  const counts = { calls, failures, slowest_ms: slowestMs, durations }
  return { provider, chain, host, minute: isoOf(minuteMs), ...counts }
}

function isoOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

const REMOVE = {
  name: 'provider_health_remove',
  text: `with states as (delete from kernel.provider_state where seen_at < $1::timestamptz)
    delete from kernel.provider_minute where minute < $1::timestamptz`,
}
const DAY_MS = 86_400_000

/** Removes what is older than a day, with the processes that ended by then. */
export async function removeOldHealth(on: Queryable, clock: Clock): Promise<void> {
  await run(on, REMOVE, [new Date(clock.now().getTime() - DAY_MS).toISOString()])
}
