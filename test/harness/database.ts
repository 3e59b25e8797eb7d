import { randomBytes } from 'node:crypto'
import { Client, Pool } from 'pg'
import { inject } from 'vitest'
import { atEnd } from './at-end.js'

/** A database of a test's own. */
export interface OwnDatabase {
  url: string
  /** Removes it before the end. */
  drop: () => Promise<void>
}

/**
 * A new database in the run's PostgreSQL, until the end.
 * @param template the database that it begins as a copy of; empty where left out
 */
export async function ownDatabase(template = 'template1'): Promise<OwnDatabase> {
  const server = inject('databaseUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  // As files: what a new connection reads first is copied too, and not worked out again by the first of each database.
  await query(server, `create database ${name} template ${template} strategy file_copy`)
  const drop = async (): Promise<void> => void (await query(server, `drop database if exists ${name} with (force)`))
  atEnd(drop)
  return { url: databaseAt(server, name), drop }
}

/** The address of another database of the same server. */
export function databaseAt(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/**
 * A pool of a process's own, until the end. What cuts its connections brings nothing down: `end` does not wait until they are closed, so the
 * removal of the database may still reach one.
 */
export function ownPool(url: string, max: number): Pool {
  // eslint-disable-next-line no-restricted-syntax -- this is the one place
  const pool = new Pool({ connectionString: url, max })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  atEnd(() => pool.end())
  return pool
}

/** Runs one statement on a connection of its own. */
export async function query(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql, values)).rows
  } finally {
    await client.end()
  }
}
