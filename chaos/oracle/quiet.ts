import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'

/** What grows as long as money moves: steps of payments, postings, transactions of the gas payers. */
const MOVED = `select concat_ws('/', (select count(*) from payments.payment_event),
  (select count(*) from payments.ledger_line), (select count(*) from payments.operator_transaction)) as moved`

const LOOK_MS = 1_000
/** Longer than two blocks of two seconds. */
const QUIET_MS = 5_000

/**
 * Waits until no money has moved for some seconds. One small query a second: a judge that reads chains and asks gateways
 * all the while takes the two cores from the processes whose rest it waits for.
 * @param withinMs how long a world may still move, in milliseconds
 */
export async function untilQuiet(databaseUrl: string, withinMs: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'chaos rest' })
  await client.connect()
  try {
    const until = performance.now() + withinMs
    let last: string | undefined
    let movedAt = performance.now()
    while (performance.now() < until && performance.now() - movedAt < QUIET_MS) {
      await delay(LOOK_MS)
      const moved = (await client.query<{ moved: string }>(MOVED)).rows[0]?.moved
      if (moved !== last) movedAt = performance.now()
      last = moved
    }
  } finally {
    await client.end()
  }
}
