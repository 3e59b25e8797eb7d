import type { Clock } from './clock.js'
import { run, type Queryable } from './database.js'
import { removeOldRows } from './remove-old-rows.js'

/**
 * The scripts and style sheets of all builds that run on the database, or ran lately: a page of one build asks a process of another
 * for its files. A path has a hash of what is in the file, so a row never changes but for the day.
 */
const createBuiltFiles = [
  `create table kernel.built_file (
      path text not null primary key,
      brotli bytea not null,
      seen_on date not null
    )`,
]

export const BUILT_FILE_MIGRATIONS = [{ name: '0014-built-files', statements: createBuiltFiles }] as const

/** How long pages stay open, and a build may be away before it is gone back to. */
const KEPT_DAYS = 30
const DAY_MS = 86_400_000

/** A row that another process has just locked is marked by that one: nobody waits. */
const MARK = {
  name: 'built_files_mark',
  text: `with marked as (update kernel.built_file set seen_on = $2::date where path in
      (select path from kernel.built_file where path = any($1::text[]) and seen_on < $2::date for update skip locked))
    select path from unnest($1::text[]) as given (path)
      where not exists (select from kernel.built_file as file where file.path = given.path)`,
}

/** In one order, so that processes that start together wait for each other and never in a circle. */
const ADD = {
  name: 'built_files_add',
  text: `insert into kernel.built_file (path, brotli, seen_on)
    select path, brotli, $3::date from unnest($1::text[], $2::bytea[]) as given (path, brotli) order by path
    on conflict (path) do nothing`,
}

const FIND = {
  name: 'built_files_find',
  text: 'select path, brotli from kernel.built_file where path = any($1::text[])',
}

/**
 * Writes down that a build runs today: marks the rows of its files, and adds those that are missing.
 * @param files what is in them, compressed by Brotli, by their paths
 */
export async function keepFiles(on: Queryable, files: ReadonlyMap<string, Buffer>, clock: Clock): Promise<void> {
  const today = dayOf(clock.now().getTime())
  const missing = await run<{ path: string }>(on, MARK, [[...files.keys()], today])
  if (missing.length === 0) return
  const paths = missing.map(({ path }) => path)
  await run(on, ADD, [paths, paths.map((path) => files.get(path)), today])
}

/** What is in files, compressed by Brotli, in the order of the paths; undefined where no build had one. */
export async function findFiles(on: Queryable, paths: readonly string[]): Promise<(Buffer | undefined)[]> {
  const rows = await run<{ path: string; brotli: Buffer }>(on, FIND, [paths])
  const found = new Map(rows.map(({ path, brotli }) => [path, brotli]))
  return paths.map((path) => found.get(path))
}

/** Removes the files of builds that have not run for a month. */
export async function removeOldFiles(on: Queryable, clock: Clock): Promise<void> {
  const before = dayOf(clock.now().getTime() - KEPT_DAYS * DAY_MS)
  await removeOldRows(on, { table: 'kernel.built_file', where: 'seen_on < $1::date' }, [before])
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
