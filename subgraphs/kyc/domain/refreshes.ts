import type { Clock } from '../../../kernel/clock.js'
import type { Person } from '../store/person.entity.js'

/** So long nobody asks a verifier that did not answer: what is stored is answered at once. */
const REST_MS = 5_000

/** What the requests of a process know of each other's questions to verifiers. */
export interface Refreshes {
  /** Whether a verifier may be asked now; where it did not answer last time, by one request in five seconds. */
  mayAsk(verifier: string): boolean
  /** Notes whether a verifier answered. */
  note(verifier: string, hasAnswered: boolean): void
  /** Runs the refresh of a session once for all who want it at the same time. */
  share(sessionId: string, refresh: () => Promise<Person>): Promise<Person>
}

/** Keeps a verifier that hangs from holding each read of a status for as long as its client waits. */
export function refreshes(clock: Clock): Refreshes {
  /** Until when verifiers that did not answer are left alone, by `steadyMs`. */
  const restsUntil = new Map<string, number>()
  const underWay = new Map<string, Promise<Person>>()

  const rest = (verifier: string): void => void restsUntil.set(verifier, clock.steadyMs() + REST_MS)

  return {
    mayAsk(verifier) {
      const until = restsUntil.get(verifier)
      if (until === undefined) return true
      if (clock.steadyMs() < until) return false
      // Who asks now asks for all others, and may wait for long.
      rest(verifier)
      return true
    },
    note(verifier, hasAnswered) {
      if (hasAnswered) restsUntil.delete(verifier)
      else rest(verifier)
    },
    share(sessionId, refresh) {
      const shared = underWay.get(sessionId)
      if (shared) return shared
      const started = refresh().finally(() => underWay.delete(sessionId))
      underWay.set(sessionId, started)
      return started
    },
  }
}
