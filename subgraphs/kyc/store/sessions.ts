import type { Clock } from '../../../kernel/clock.js'
import type { Database } from '../../../kernel/database.js'
import type { IdSource } from '../../../kernel/ids.js'
import type { Vault } from '../vault.js'
import { sessionReads } from './session-reads.js'
import { sessionWrites } from './session-writes.js'

export type SessionsStore = ReturnType<typeof sessionsStore>

/** Reads and writes of verification sessions. */
export function sessionsStore(db: Database, vault: Vault, clock: Clock, newId: IdSource) {
  return { ...sessionReads(db, vault, clock), ...sessionWrites(db, vault, clock, newId) }
}
