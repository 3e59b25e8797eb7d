import type { Clock } from '../../../kernel/clock.js'
import type { IdSource } from '../../../kernel/ids.js'
import type { Logger } from '../../../kernel/log.js'

/** What a use case may need of the process that it runs in. */
export interface Runtime {
  clock: Clock
  newId: IdSource
  log: Logger
  /** Whether the process was told to stop: requests that only wait answer now. */
  isStopping: () => boolean
  /** Waits, in milliseconds; ends at once where time is a test's. */
  delay: (ms: number) => Promise<void>
}
