import type { Queryable } from '../../../kernel/database.js'
import { run } from '../../../kernel/database.js'

/** What one process let in of one key: how many requests leave the window when, one pair per second. */
export type SecondCounts = [leavesAtMs: number, count: number][]

/** The counts that processes share. */
export interface RateCounts {
  /**
   * Tells the counts of this process, each key's whole window, and learns those of the others for the same keys.
   * @returns for each key that has any, the counts of every other process
   */
  sync(own: readonly { key: string; seconds: SecondCounts }[], nowMs: number): Promise<Map<string, SecondCounts[]>>
  /** Removes the counts that have left the window, of whatever process. */
  clean(nowMs: number): Promise<void>
}

/** A process writes only rows of its own, so syncs never wait for each other. */
const SYNC = {
  name: 'rate_sync',
  text: `with told as (
    insert into gateway.rate_count as mine (key, process_id, seconds, leaves_at_ms)
    select key, $1, seconds, leaves_at_ms from json_to_recordset($2::json) as own (key text, seconds json, leaves_at_ms bigint)
    on conflict (key, process_id) do update set seconds = excluded.seconds, leaves_at_ms = excluded.leaves_at_ms
  )
  select key, seconds::text as seconds from gateway.rate_count
  where key = any ($3::text[]) and process_id <> $1 and leaves_at_ms > $4`,
}

/** Rows that their process is writing at this moment are skipped: they are not old, and waiting could deadlock. */
const CLEAN = {
  name: 'rate_clean',
  text: `delete from gateway.rate_count where (key, process_id) in (
    select key, process_id from gateway.rate_count where leaves_at_ms <= $1 limit 10000 for update skip locked
  )`,
}

/** The shared counts in PostgreSQL: one row per key and process, one round trip per sync. */
export function rateCounts(on: Queryable, processId: string): RateCounts {
  return {
    async sync(own, nowMs) {
      const rows = own.map(({ key, seconds }) => ({ key, seconds, leaves_at_ms: seconds.at(-1)?.[0] ?? nowMs }))
      const others = await run<{ key: string; seconds: string }>(on, SYNC, [
        processId,
        JSON.stringify(rows),
        own.map(({ key }) => key),
        nowMs,
      ])
      const byKey = Map.groupBy(others, ({ key }) => key)
      return new Map(
        [...byKey].map(([key, ofKey]) => [key, ofKey.map((row) => JSON.parse(row.seconds) as SecondCounts)]),
      )
    },
    async clean(nowMs) {
      await run(on, CLEAN, [nowMs])
    },
  }
}
