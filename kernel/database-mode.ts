import { run, type Queryable } from './database.js'

/** Whether the money in a database is real. */
export type DatabaseMode = 'sandbox' | 'live'

/** One row, written by the first process that uses the database. One that has live keys already is marked at once. */
export const createDatabaseMode = [
  `create table kernel.database_mode (
      is_only_row boolean not null primary key default true check (is_only_row),
      mode text not null check (mode in ('sandbox', 'live'))
    )`,
  `do $$ begin
      if to_regclass('accounts.api_key') is not null then
        insert into kernel.database_mode (mode)
          select 'live' where exists (select from accounts.api_key where prefix like 'sk_live_%');
      end if;
    end $$`,
]

const MARK = {
  name: 'database_mode_mark',
  text: 'insert into kernel.database_mode (mode) values ($1) on conflict do nothing',
}
const READ = { name: 'database_mode_read', text: 'select mode from kernel.database_mode' }

/**
 * Marks a database with the mode that it is used in, for good: a sandbox's simulators never meet real payments, and real
 * money never its test keys.
 * @throws Error with one clear line where it is marked with the other mode
 */
export async function claimDatabase(on: Queryable, mode: DatabaseMode): Promise<void> {
  await run(on, MARK, [mode])
  const [row] = await run<{ mode: DatabaseMode }>(on, READ, [])
  if (row?.mode === mode) return
  const owner = row?.mode === 'live' ? 'a live deployment' : 'a sandbox'
  throw new Error(`the database belongs to ${owner}, and this process runs in MODE=${mode}: set another DATABASE_URL`)
}
