import type { Logger } from '../../../../kernel/log.js'
import { ProviderError, type ProviderErrorKind } from '../../../../kernel/provider-error.js'

/** Look-ups of single charges at a provider. */
export interface LookUps {
  /**
   * Makes one. What it fails by is logged, and kept for the end.
   * @throws ProviderError where the provider is away: the next look-up would fail as well
   */
  make: (about: Readonly<Record<string, string>>, lookUp: () => Promise<void>) => Promise<void>
  /** To be called once all are made. Throws what the first of those failed by that were passed over. */
  end: () => void
}

/** The failures that the next charge would meet too. */
const OF_ALL: readonly ProviderErrorKind[] = ['auth', 'rate_limited']
/** The failures that are the provider's, or the one charge's: the provider's where so many come in a row. */
const OF_ALL_OR_ONE: readonly ProviderErrorKind[] = ['timeout', 'unavailable']
const UNANSWERED_MAX = 5

/** Whether a failure may be one that everything else would meet too. */
export function mayBeAway(error: unknown): boolean {
  return error instanceof ProviderError && (OF_ALL.includes(error.kind) || OF_ALL_OR_ONE.includes(error.kind))
}

/** One charge that cannot be looked up keeps no other from being looked up, whoever's it is: it is told of at the end. */
export function lookUps(log: Logger): LookUps {
  const failures: unknown[] = []
  let unanswered = 0
  return {
    make: async (about, lookUp) => {
      try {
        await lookUp()
        unanswered = 0
      } catch (error) {
        unanswered = isUnanswered(error) ? unanswered + 1 : 0
        if (unanswered >= UNANSWERED_MAX || (error instanceof ProviderError && OF_ALL.includes(error.kind))) throw error
        failures.push(error)
        log.error({ ...about, err: error }, 'a charge could not be looked up at its provider')
      }
    },
    end: () => {
      if (failures.length > 0) throw failures[0]
    },
  }
}

/** Whether nobody was there. Who answers 500 is there, and has failed at the one charge that it was asked for. */
function isUnanswered(error: unknown): boolean {
  return error instanceof ProviderError && OF_ALL_OR_ONE.includes(error.kind) && error.httpStatus !== 500
}
