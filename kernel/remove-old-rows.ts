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
  await inBatches(on, `delete from ${table}`, { table, where }, values)
}

/** As `removeOldRows`, but the rows stay without what a column holds: `where` has to be false of such a row. */
export async function emptyOldRows(
  on: Queryable,
  { table, column, where }: { table: string; column: string; where: string },
  values: readonly unknown[],
): Promise<void> {
  await inBatches(on, `update ${table} set ${column} = null`, { table, where }, values)
}

async function inBatches(
  on: Queryable,
  statement: string,
  { table, where }: { table: string; where: string },
  values: readonly unknown[],
): Promise<void> {
  const sql = `${statement} where ctid = any(array(select ctid from ${table} where ${where} limit ${BATCH}))`
  for (;;) {
    const { rowCount } = await on.query(sql, [...values])
    if ((rowCount ?? 0) < BATCH) return
  }
}
