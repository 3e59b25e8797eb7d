import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { adjustableClock, type AdjustableClock } from '../../kernel/clock.js'
import type { Database } from '../../kernel/database.js'
import { createLog } from '../../kernel/log.js'
import { ownDatabase } from '../../test/support/own-database.js'
import { rateLimit, type RateLimit } from './rate-limit.js'
import { openGatewayDatabase } from './store/database.js'
import { rateCounts, type RateCounts } from './store/rate-counts.js'

const log = createLog('silent')
let database: Awaited<ReturnType<typeof ownDatabase>>
let db: Database
let clock: AdjustableClock
const open: RateLimit[] = []

beforeAll(async () => {
  database = await ownDatabase()
  db = await openGatewayDatabase({ url: database.url, poolSize: 4, log })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})
beforeEach(async () => {
  clock = adjustableClock()
  await db.pool.query('truncate gateway.rate_count')
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((process) => process.close()))
})

/** What would be a process: an instance with a state of its own, on the common PostgreSQL. */
function startProcess(id: string, limit = 600, counts: RateCounts = rateCounts(db.pool, id)): RateLimit {
  const process = rateLimit({ limit, clock, maxKeys: 100, share: { counts, log } })
  open.push(process)
  return process
}

/** Sends `requests` at each process, `concurrency` at once. @returns how many were let in altogether */
async function hammer(processes: readonly RateLimit[], requests: number, concurrency: number, key = 'key') {
  let letIn = 0
  const client = async (process: RateLimit): Promise<void> => {
    for (let request = 0; request < requests / concurrency; request += 1) {
      if ((await process.take(key)).allowed) letIn += 1
      // A real server gives way to its sockets between requests.
      await new Promise(setImmediate)
    }
  }
  await Promise.all(processes.flatMap((process) => Array.from({ length: concurrency }, () => client(process))))
  return letIn
}

describe('the rate limit shared by processes', () => {
  it.each([1, 2, 3, 8])('stays within five percent when %i of them are hammered with one key', async (count) => {
    const processes = Array.from({ length: count }, (_, index) => startProcess(`process ${index}`))
    const letIn = await hammer(processes, 1_200, 16)
    expect(letIn).toBeGreaterThanOrEqual(570)
    expect(letIn).toBeLessThanOrEqual(630)
    if (count === 1) expect(letIn).toBe(600)
  })

  it('stays within 5 % when one process after the other is hammered', async () => {
    const processes = ['a', 'b', 'c'].map((id) => startProcess(id))
    let letIn = 0
    for (const process of processes) letIn += await hammer([process], 700, 8)
    expect(letIn).toBeGreaterThanOrEqual(570)
    expect(letIn).toBeLessThanOrEqual(630)
  })

  it('stays within 5 % in every window of a long and uneven run', async () => {
    const processes = ['a', 'b'].map((id) => startProcess(id))
    const perTenSeconds: number[] = []
    for (let step = 0; step < 24; step += 1) {
      perTenSeconds.push(await hammer(processes.slice(0, 1 + (step % 2)), step % 5 === 0 ? 400 : 100, 4))
      clock.advance(10_000)
    }
    const windows = perTenSeconds.map((_, from) => perTenSeconds.slice(from, from + 6).reduce((a, b) => a + b, 0))
    expect(Math.max(...windows)).toBeLessThanOrEqual(630)
    expect(Math.max(...windows)).toBeGreaterThanOrEqual(570)
  })

  it('keeps keys apart', async () => {
    const processes = ['a', 'b'].map((id) => startProcess(id, 60))
    const [greedy, modest] = await Promise.all([
      hammer(processes, 300, 8, 'greedy'),
      hammer(processes, 20, 2, 'modest'),
    ])
    expect(greedy).toBeLessThanOrEqual(63)
    expect(modest).toBe(40)
  })

  it('needs no round trip for a caller who keeps to the rate', async () => {
    const counts = rateCounts(db.pool, 'a')
    let syncs = 0
    const process = startProcess('a', 600, {
      ...counts,
      sync: (own, nowMs) => {
        syncs += 1
        return counts.sync(own, nowMs)
      },
    })
    let waits = 0
    for (let key = 0; key < 40; key += 1) {
      for (let request = 0; request < 5; request += 1) if (process.take(`key ${key}`) instanceof Promise) waits += 1
    }
    expect(waits).toBe(0)
    await process.close()
    expect(syncs).toBe(1)
  })

  it('survives a restart: the next process counts what the last one let in', async () => {
    const first = startProcess('first', 20)
    await hammer([first], 20, 1)
    await first.close()
    const second = startProcess('second', 20)
    expect(await hammer([second], 20, 1)).toBeLessThanOrEqual(1)
  })

  it('keeps the limit in each process by itself while the counts cannot be shared, and shares again later', async () => {
    const counts = rateCounts(db.pool, 'a')
    const state = { away: true }
    const unreliable: RateCounts = {
      ...counts,
      sync: (own, nowMs) =>
        state.away ? Promise.reject(new Error('the database is away')) : counts.sync(own, nowMs),
    }
    const process = startProcess('a', 600, unreliable)
    expect(await hammer([process], 700, 8)).toBe(600)
    state.away = false
    await process.close()
    expect(await hammer([startProcess('b')], 700, 8)).toBeLessThanOrEqual(30)
  })

  it('removes counts that have left the window', async () => {
    const counts = rateCounts(db.pool, 'a')
    const nowMs = clock.now().getTime()
    await counts.sync(
      [
        { key: 'old', seconds: [[nowMs, 1]] },
        { key: 'new', seconds: [[nowMs + 60_000, 1]] },
      ],
      nowMs,
    )
    await counts.clean(nowMs)
    const { rows } = await db.pool.query('select key from gateway.rate_count')
    expect(rows).toEqual([{ key: 'new' }])
  })
})
