import type { Clock } from '../../../kernel/clock.js'
import { medianOf } from '../../../kernel/provider-health/durations.js'
import type { ProviderFailure, WatchedProvider } from '../../../kernel/provider-health/provider-calls.js'
import { minuteOf } from '../../../kernel/provider-health/record-calls.js'
import type { ProviderCounts, ProviderHealthStore, ProviderStanding } from './store.js'

export type ProviderState = 'answering' | 'failing' | 'not_called'

/** The calls of a time. */
export interface CallFigures {
  calls: number
  failures: number
  /** Milliseconds; null where there was no call. */
  medianMs: number | null
  slowestMs: number | null
}

/** How a provider does, by the calls that were made anyway: nothing is sent to find out. */
export interface ProviderHealth {
  provider: string
  chain: string | null
  host: string | null
  state: ProviderState
  /** Since when; null where it was not called. */
  since: Date | null
  lastAnswerAt: Date | null
  lastFailureAt: Date | null
  lastFailure: ProviderFailure | null
  last5Minutes: CallFigures
  last60Minutes: CallFigures
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** The providers of the last day, by name. Processes write once a minute, so that the newest calls are not in it yet. */
export async function listProviderHealth({
  clock,
  providerHealth,
}: {
  clock: Clock
  providerHealth: ProviderHealthStore
}): Promise<ProviderHealth[]> {
  const nowMs = clock.now().getTime()
  const from = (minutes: number): Date => new Date(minuteOf(nowMs) - minutes * MINUTE_MS)
  const [standings, short, long] = await Promise.all([
    providerHealth.standings(new Date(nowMs - DAY_MS)),
    providerHealth.counts(from(5)),
    providerHealth.counts(from(60)),
  ])
  return standings.map((standing) => {
    const { provider, chain, host, lastAnswerAt, lastFailureAt, lastFailure } = standing
    return {
      ...{ provider, chain: chain || null, host: host || null, lastAnswerAt, lastFailureAt, lastFailure },
      ...stateOf(standing),
      last5Minutes: figuresOf(short, standing),
      last60Minutes: figuresOf(long, standing),
    }
  })
}

/** The newest outcome of all processes counts. It lasts since the last other one, or since the first process has had it. */
function stateOf(standing: ProviderStanding): Pick<ProviderHealth, 'state' | 'since'> {
  const { lastAnswerAt, lastFailureAt, answeringSince, failingSince } = standing
  if (lastAnswerAt === null && lastFailureAt === null) return { state: 'not_called', since: null }
  const isFailing = timeOf(lastFailureAt) > timeOf(lastAnswerAt)
  const [begun, other] = isFailing ? [failingSince, lastAnswerAt] : [answeringSince, lastFailureAt]
  const since = timeOf(begun) > timeOf(other) ? begun : other
  return { state: isFailing ? 'failing' : 'answering', since }
}

function timeOf(at: Date | null): number {
  return at?.getTime() ?? -Infinity
}

function figuresOf(counts: readonly ProviderCounts[], of: WatchedProvider): CallFigures {
  const counted = counts.find(
    ({ provider, chain, host }) => provider === of.provider && chain === of.chain && host === of.host,
  )
  if (!counted) return { calls: 0, failures: 0, medianMs: null, slowestMs: null }
  const { calls, failures, slowestMs, durations } = counted
  // Buckets are wider than what was measured.
  const medianMs = Math.min(Math.round(medianOf(durations) ?? 0), slowestMs)
  return { calls, failures, medianMs, slowestMs }
}
