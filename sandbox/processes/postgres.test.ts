import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../../kernel/log.js'
import { lockDataDir, type DataDirLock } from './data-dir-lock.js'
import { isAlive, membersOfGroup, readStat } from '../../test/harness/processes.js'
import { until } from '../../test/harness/until.js'
import { startOwner, type Owner } from './fixtures/owner.js'
import { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './postgres.js'
import { findPostgresBinaries } from './postgres-binaries.js'
import { findServerProcesses } from './postgres-stray.js'
import { chooseRunAs, type RunAsStrategy } from './run-as.js'

let dataDir: string
const running: { stop(): Promise<void> }[] = []
const owners: Owner[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-postgres-'))
})
afterEach(async () => {
  await Promise.all(owners.splice(0).map((owner) => owner.end('SIGKILL')))
  await Promise.all(running.splice(0).map((each) => each.stop()))
  await until('no server runs', async () => (await serverProcesses()).length === 0)
  await rm(dataDir, { recursive: true, force: true })
})

const clusterDir = () => join(dataDir, 'postgres', 'cluster')
const serverProcesses = async () => (existsSync(clusterDir()) ? findServerProcesses(clusterDir()) : [])

/** Starts it in this process, under the lock; stopping releases the lock. */
async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const lock: DataDirLock = await lockDataDir(dataDir)
  try {
    const postgres = await startEmbeddedPostgres({ lock, log: createLog('silent'), ...options })
    const stop = async () => {
      await postgres.stop()
      await lock.release()
    }
    let stopped: Promise<void> | undefined
    const handle = { ...postgres, stop: () => (stopped ??= stop()) }
    running.push(handle)
    return handle
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Starts it in another process, which a test may kill. */
async function startOwned(): Promise<{ owner: Owner; databaseUrl: string; pid: number }> {
  const owner = startOwner('postgres-owner', dataDir)
  owners.push(owner)
  const { databaseUrl, pid } = await owner.firstLine
  return { owner, databaseUrl: String(databaseUrl), pid: Number(pid) }
}

/** Runs one statement on a connection of its own. @returns the first column */
async function query(databaseUrl: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: databaseUrl })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const result = await client.query<unknown[]>({ text: sql, rowMode: 'array' })
    return result.rows.map((row) => row[0])
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Inserts 0, 1, 2, … until the connection breaks. `acknowledged` grows as the server confirms. */
function insertUntilCut(databaseUrl: string): { acknowledged: () => number; cut: Promise<void> } {
  let count = 0
  const run = async () => {
    const client = new Client({ connectionString: databaseUrl })
    client.on('error', () => undefined)
    await client.connect()
    await client.query('create table numbers (n integer primary key)')
    try {
      for (;;) {
        await client.query('insert into numbers values ($1)', [count])
        count += 1
      }
    } catch {
      await client.end().catch(() => undefined)
    }
  }
  return { acknowledged: () => count, cut: run() }
}

const firstNumbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const portOf = (databaseUrl: string) => Number(new URL(databaseUrl).port)

describe('the embedded PostgreSQL', { timeout: 60_000 }, () => {
  it('keeps its rows and its address over a stop and a start', async () => {
    const first = await start()
    await query(first.databaseUrl, "create table words as select 'ação' as word")
    await first.stop()
    expect(await serverProcesses()).toEqual([])

    const second = await start()
    expect(second.databaseUrl).toBe(first.databaseUrl)
    expect(await query(second.databaseUrl, 'select upper(word) from words')).toEqual(['AÇÃO'])
  })

  it('takes no connection without the password, and keeps that to the owner of the data folder', async () => {
    const { databaseUrl } = await start()
    const withoutPassword = new URL(databaseUrl)
    withoutPassword.password = 'wrong'
    await expect(query(withoutPassword.href, 'select 1')).rejects.toThrow(/password authentication failed/)
    expect((await stat(join(dataDir, 'postgres', 'connection.json'))).mode & 0o777).toBe(0o600)
    expect(await query(databaseUrl, 'show listen_addresses')).toEqual(['127.0.0.1'])
  })

  it('starts again after a kill -9 of the server, with every row that was acknowledged', async () => {
    const postgres = await start()
    const before = postgres.pid() ?? 0
    const writer = insertUntilCut(postgres.databaseUrl)
    await until('writes are acknowledged', () => writer.acknowledged() >= 50)
    process.kill(before, 'SIGKILL')
    await writer.cut

    await until('the server is back', () => postgres.pid() !== undefined && postgres.pid() !== before)
    const kept = await query(postgres.databaseUrl, 'select n from numbers order by n')
    expect(kept.slice(0, writer.acknowledged())).toEqual(firstNumbers(writer.acknowledged()))
  })

  it('does not outlive a kill -9 of its owner, and the next start has every row that was acknowledged', async () => {
    const { owner, databaseUrl, pid } = await startOwned()
    const writer = insertUntilCut(databaseUrl)
    await until('writes are acknowledged', () => writer.acknowledged() >= 50)
    await owner.end('SIGKILL')
    await writer.cut
    await until('its processes have ended', () => membersOfGroup(pid).length === 0)
    await until('no server runs', async () => (await serverProcesses()).length === 0)

    const next = await start()
    expect(next.databaseUrl).toBe(databaseUrl)
    const kept = await query(databaseUrl, 'select n from numbers order by n')
    expect(kept.slice(0, writer.acknowledged())).toEqual(firstNumbers(writer.acknowledged()))
  })

  it('starts again after a kill -9 of its guard', async () => {
    const postgres = await start()
    const before = postgres.pid() ?? 0
    const guard = membersOfGroup(before).find((pid) => readStat(pid).parentPid !== before && pid !== before) ?? 0
    process.kill(guard, 'SIGKILL')
    await until('the server is back', () => postgres.pid() !== undefined && postgres.pid() !== before)
    expect(await query(postgres.databaseUrl, 'select 1')).toEqual([1])
  })

  it('stops a server that a previous run left behind, and starts', async () => {
    const { owner, databaseUrl, pid } = await startOwned()
    // Both at once: a frozen owner cannot react to the death of the guard.
    process.kill(owner.pid, 'SIGSTOP')
    const guard = membersOfGroup(pid).find((member) => readStat(member).parentPid !== pid && member !== pid) ?? 0
    process.kill(guard, 'SIGKILL')
    await owner.end('SIGKILL')
    expect(await query(databaseUrl, 'select 1')).toEqual([1])

    const next = await start()
    expect(next.databaseUrl).toBe(databaseUrl)
    expect(isAlive(pid)).toBe(false)
    expect(await query(databaseUrl, 'select 1')).toEqual([1])
  })

  it('is not kept from starting by a pid file that names a live process of something else', async () => {
    const first = await start()
    await first.stop()
    await writeFile(join(clusterDir(), 'postmaster.pid'), `${process.ppid}\n${clusterDir()}\n1\n5432\n`)
    const next = await start()
    expect(await query(next.databaseUrl, 'select 1')).toEqual([1])
  })

  it('starts after a first start that was killed with -9 half-way, and clears its remains', async () => {
    const owner = startOwner('postgres-owner', dataDir)
    owners.push(owner)
    await until('it has come to that', async () => {
      const [unfinished] = await readdir(dataDir)
      return unfinished !== undefined && existsSync(join(dataDir, unfinished, 'cluster', 'base'))
    })
    await owner.end('SIGKILL')
    expect(existsSync(clusterDir())).toBe(false)

    const next = await start()
    expect(await query(next.databaseUrl, 'select 1')).toEqual([1])
    expect(await readdir(dataDir)).toEqual(['postgres'])
  })

  it('moves to another port for good when another process took its own', async () => {
    const first = await start()
    await first.stop()
    const squatter = createServer()
    await new Promise<void>((resolve) => squatter.listen(portOf(first.databaseUrl), '127.0.0.1', resolve))
    const second = await start()
    await second.stop()
    await new Promise((resolve) => squatter.close(resolve))
    expect(portOf(second.databaseUrl)).not.toBe(portOf(first.databaseUrl))
    expect((await start()).databaseUrl).toBe(second.databaseUrl)
  })

  it('refuses a port that was asked for and is taken', async () => {
    const squatter = createServer()
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve))
    const address = squatter.address()
    const port = typeof address === 'object' && address ? address.port : 0
    await expect(start({ port })).rejects.toThrow(`the port ${port} is already used`)
    await new Promise((resolve) => squatter.close(resolve))
  })

  it('gives up, once, on a server that cannot start any more', async () => {
    const failures: Error[] = []
    const postgres = await start({ onGiveUp: (error) => failures.push(error) })
    await rm(join(clusterDir(), 'global', 'pg_control'))
    process.kill(postgres.pid() ?? 0, 'SIGKILL')
    await until('a failure is told', () => failures.length > 0)
    await postgres.stop()
    expect(failures.map((failure) => failure.message)).toEqual([
      'the embedded PostgreSQL crashed 6 times within a minute',
    ])
  })

  it.runIf(process.getuid?.() === 0)(
    'runs for root in each way that works, one after the other on one folder',
    async () => {
      const { postgres: program } = await findPostgresBinaries()
      const working: RunAsStrategy[] = []
      for (const strategy of ['user-namespace', 'capability', 'plain'] as const) {
        const runAs = await chooseRunAs(program, dataDir, [strategy]).catch(() => undefined)
        if (runAs) working.push(runAs.strategy)
      }
      expect(working).not.toEqual([])
      const starts = [...working, ...working]
      for (const [index, strategy] of starts.entries()) {
        const postgres = await start({ strategies: [strategy] })
        if (index === 0) await query(postgres.databaseUrl, 'create table starts (n integer)')
        await query(postgres.databaseUrl, `insert into starts values (${index})`)
        await postgres.stop()
      }
      const { databaseUrl } = await start()
      expect(await query(databaseUrl, 'select n from starts order by n')).toEqual(firstNumbers(starts.length))
    },
  )
})
