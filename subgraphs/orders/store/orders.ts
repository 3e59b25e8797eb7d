import type { Clock } from '../../../kernel/clock.js'
import type { Database } from '../../../kernel/database.js'
import type { IdSource } from '../../../kernel/ids.js'
import { orderReads } from './order-reads.js'
import { orderWrites } from './order-writes.js'

export type OrdersStore = ReturnType<typeof ordersStore>

/** Reads and writes of orders and their history. */
export function ordersStore(db: Database, clock: Clock, newId: IdSource) {
  const reads = orderReads(db)
  return { ...reads, ...orderWrites({ db, clock, newId, findAt: reads.findAt }) }
}
