import type { Clock } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/log.js'
import type { SubgraphExecutor } from '../../kernel/subgraph.js'
import type { Admission } from '../admission.js'
import type { Authentication } from '../authentication/authenticate.js'
import { eventStreams } from './event-streams.js'
import { STREAM_LIMITS, type LiveDeps } from './live.js'
import { openPaymentChanges } from './payment-changes.js'
import { newsReader } from './read-news.js'

/** Opens what live updates run on: one connection that listens, for all streams of the process. */
export function openLive(options: {
  databaseUrl: string
  payments: SubgraphExecutor
  authentication: Pick<Authentication, 'callerOf'>
  admission: Pick<Admission, 'run'>
  clock: Clock
  log: Logger
}): LiveDeps {
  const { databaseUrl, payments, authentication, admission, clock, log } = options
  return {
    changes: openPaymentChanges(databaseUrl, log),
    read: newsReader(payments, admission),
    streams: eventStreams(STREAM_LIMITS, log),
    callerOf: (keyHash) => authentication.callerOf(keyHash),
    clock,
  }
}
