import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { createLog } from '../../kernel/log.js'
import { lockDataDir } from '../../sandbox/processes/data-dir-lock.js'
import { startEmbeddedPostgres } from '../../sandbox/processes/postgres.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's own PostgreSQL, as a superuser; every test file makes its own database or schemas in it. */
    databaseUrl: string
  }
}

/** What ends the things that were started, in the order of their start. */
const stops: (() => Promise<void>)[] = []

/**
 * Runs once before the first test file: brings `dist/` up to date for the tests that start real processes, and starts
 * one PostgreSQL, whose address tests get by `inject('databaseUrl')`.
 * @throws Error if the build fails or the database does not start
 */
export async function setup(project: TestProject): Promise<void> {
  // Costs a quarter of a second when nothing changed.
  execFileSync('npm', ['run', 'build', '--if-present', '--silent'], { stdio: 'inherit' })
  project.provide('databaseUrl', await startDatabase())
}

/** Runs once after the last test file: ends what `setup` started. */
export async function teardown(): Promise<void> {
  for (const stop of stops.splice(0).reverse()) await stop()
}

/**
 * Files in memory. A disk's file system looks at all that was just removed before it makes a file, and each test file makes and removes a
 * database of a thousand.
 */
const MEMORY_FOLDER = '/dev/shm'

/** The databases that are there at once come to some 150 MB. A container may have 64 MB of such memory in all. */
const MEMORY_BYTES = 2 * 1024 ** 3

/** Where the run's database is, with this process's number in its name. */
const PREFIX = 'payments-api-tests-'

/** Starts the run's PostgreSQL in a temporary folder and returns its address. */
async function startDatabase(): Promise<string> {
  const dataDir = await mkdtemp(path.join(await databaseFolder(), `${PREFIX}${process.pid}-`))
  stops.push(() => rm(dataDir, { recursive: true, force: true }))
  const lock = await lockDataDir(dataDir)
  stops.push(() => lock.release())
  const postgres = await startEmbeddedPostgres({ lock, log: createLog('error'), isDurable: false })
  stops.push(() => postgres.stop())
  return postgres.databaseUrl
}

async function databaseFolder(): Promise<string> {
  const space = await statfs(MEMORY_FOLDER).catch(() => undefined)
  if (!space || space.bavail * space.bsize < MEMORY_BYTES) return tmpdir()
  await removeRemains()
  return MEMORY_FOLDER
}

/** What a run that was killed has left would take memory until the machine is started again. */
async function removeRemains(): Promise<void> {
  for (const name of await readdir(MEMORY_FOLDER)) {
    const pid = name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('-')[0] : undefined
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      await rm(path.join(MEMORY_FOLDER, name), { recursive: true, force: true })
  }
}
