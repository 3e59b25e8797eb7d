import type { Queryable } from './database.js'

/** So many rows at once hold no lock for long, and are removed within the time of a statement. */
const BATCH = 10_000

/**
 * Removes all rows of a table that a condition is true of, a batch at a time: one batch for each run of a job would fall
 * behind a table that grows faster.
 * @param rows.table with its schema
 * @param rows.where SQL, with the values as `$1`, `$2`, …; an index should serve it
 */
export async function removeOldRows(
  on: Queryable,
  { table, where }: { table: string; where: string },
  values: readonly unknown[],
): Promise<void> {
  const sql = `delete from ${table} where ctid = any(array(select ctid from ${table} where ${where} limit ${BATCH}))`
  for (;;) {
    const { rowCount } = await on.query(sql, [...values])
    if ((rowCount ?? 0) < BATCH) return
  }
}
