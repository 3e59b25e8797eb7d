import type { Clock } from '../../../kernel/clock.js'
import type { Database } from '../../../kernel/database.js'

/** What a command works on: the books, and the time of the product that writes them. */
export interface Books {
  db: Database
  clock: Clock
}

/** What a command prints as JSON, and its exit code: 1 where nothing was to be done, or something is wrong. */
export type Answer = Promise<{ answer: object; code: number }>
