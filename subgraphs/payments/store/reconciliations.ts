import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'

/** How far a comparison of our books with a chain or a provider has come. */
export interface ReconciliationState {
  /** What is compared, e.g. `chain:polygon`. */
  scope: string
  begunAt: string
  /** When it last came to its end; null where it never did. */
  endedAt: string | null
  /** Why the last one could not compare; null where it could. */
  skipped: string | null
}

const LIST = `select scope, begun_at as "begunAt", ended_at as "endedAt", skipped from payments.reconciliation
  order by scope limit 1000`

export function reconciliationsStore(db: Database) {
  return {
    list: (): Promise<ReconciliationState[]> => inTransaction(db, (em) => executeIn<ReconciliationState>(em, LIST, [])),
  }
}
