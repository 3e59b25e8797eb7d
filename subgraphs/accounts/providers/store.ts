import { withTimes, type RowOf } from '../../../kernel/columns.js'
import { run, type Database } from '../../../kernel/database.js'
import { noDurations, type Durations } from '../../../kernel/provider-health/durations.js'
import type { ProviderFailure, WatchedProvider } from '../../../kernel/provider-health/provider-calls.js'

/** Where a provider stands, by what all processes have seen of it. */
export interface ProviderStanding extends WatchedProvider {
  lastAnswerAt: Date | null
  lastFailureAt: Date | null
  lastFailure: ProviderFailure | null
  /** Since when those processes have had answers, and failures, that have them now: the earliest of each. */
  answeringSince: Date | null
  failingSince: Date | null
}

/** What was counted of a provider since a time. */
export interface ProviderCounts extends WatchedProvider {
  calls: number
  failures: number
  slowestMs: number
  durations: Durations
}

/** More than any deployment has: its own chains' nodes and providers, and those that it had within the day. */
const PROVIDERS_MAX = 500

const STANDINGS = {
  name: 'provider_standings',
  text: `select provider, chain, host, max(last_answer_at) as "lastAnswerAt", max(last_failure_at) as "lastFailureAt",
      (array_agg(last_failure order by last_failure_at desc nulls last))[1] as "lastFailure",
      min(since) filter (where state = 'answering') as "answeringSince",
      min(since) filter (where state = 'failing') as "failingSince"
    from kernel.provider_state where seen_at >= $1::timestamptz
    group by provider, chain, host order by provider, chain, host limit ${PROVIDERS_MAX}`,
}

/** The counts of a bucket come as a row each, so that no minute is read into memory by itself. */
const COUNTS = {
  name: 'provider_counts',
  text: `with counted as (
      select provider, chain, host, calls, failures, slowest_ms, durations from kernel.provider_minute
      where minute >= $1::timestamptz),
    buckets as (
      select provider, chain, host, bucket, sum(count) as count
      from counted, unnest(durations) with ordinality as spent (count, bucket)
      where count > 0 group by provider, chain, host, bucket),
    spread as (
      select provider, chain, host, jsonb_object_agg(bucket - 1, count)::text as durations
      from buckets group by provider, chain, host)
    select provider, chain, host, sum(calls)::int as calls, sum(failures)::int as failures,
      max(slowest_ms) as "slowestMs", spread.durations
    from counted join spread using (provider, chain, host)
    group by provider, chain, host, spread.durations limit ${PROVIDERS_MAX}`,
}

export type ProviderHealthStore = ReturnType<typeof providerHealthStore>

/** Reads of what all processes have written down of the providers. */
export function providerHealthStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** The providers that some process could have called since then, by name. */
    async standings(seenFrom: Date): Promise<ProviderStanding[]> {
      const rows = await run<RowOf<ProviderStanding>>(pool, STANDINGS, [seenFrom.toISOString()])
      const times = ['lastAnswerAt', 'lastFailureAt', 'answeringSince', 'failingSince']
      return rows.map((row) => withTimes(row, times) as ProviderStanding)
    },
    /** The providers that were called in the minutes from then on. */
    async counts(from: Date): Promise<ProviderCounts[]> {
      const rows = await run<CountsRow>(pool, COUNTS, [from.toISOString()])
      return rows.map(({ durations, ...row }) => ({ ...row, durations: readDurations(durations) }))
    },
  }
}

type CountsRow = Omit<ProviderCounts, 'durations'> & { durations: string }

function readDurations(text: string): Durations {
  const durations = noDurations()
  for (const [bucket, count] of Object.entries(JSON.parse(text) as Record<string, number>)) {
    durations[Number(bucket)] = count
  }
  return durations
}
