import { expect, it } from 'vitest'
import { KERNEL_MIGRATIONS } from '../../app/kernel-database.js'
import { atEnd, ending } from '../../test/harness/at-end.js'
import { migratedDatabase } from '../../test/harness/migrated-database.js'
import { startPgProxy } from '../../test/harness/pg-proxy.js'
import { query } from '../../test/harness/database.js'
import { until } from '../../test/harness/until.js'
import { adjustableClock } from '../clock.js'
import { openDatabase } from '../database.js'
import { createLog } from '../log.js'
import { keepHealth } from './keep-health.js'
import { beginCall } from './provider-calls.js'
import { recordCalls } from './record-calls.js'
import { removeOldHealth } from './write-health.js'

const log = createLog('silent')
const { url } = await migratedDatabase()
const proxy = await startPgProxy(url)
const db = ending(
  await openDatabase({
    ...{ url: proxy.url, schema: 'kernel', entities: [], migrations: KERNEL_MIGRATIONS, poolSize: 2, log },
    timeouts: { statementMs: 500, answerMs: 1_000 },
  }),
)
const MINUTE_MS = 60_000
let processes = 0

/** A process that counts and writes, with a clock that stands at the beginning of a minute but for the time that the test takes. */
function newProcess() {
  const clock = adjustableClock()
  clock.advance(MINUTE_MS - (clock.now().getTime() % MINUTE_MS))
  const recorder = recordCalls(clock)
  const processId = `process-${(processes += 1)}`
  const stop = keepHealth({ recorder, processId, pool: db.pool, clock, log })
  atEnd(async () => {
    recorder.close()
    await stop()
  })
  const rows = () =>
    query(
      url,
      `select provider, calls, failures, (select sum(count)::int from unnest(durations) count) as spread
        from kernel.provider_minute where process_id = $1 order by minute, provider`,
      [processId],
    )
  const states = () => query(url, 'select * from kernel.provider_state where process_id = $1', [processId])
  return { clock, processId, stop, rows, states, recorder }
}

function call(provider: string, failure?: 'timeout'): void {
  beginCall({ provider, chain: '', host: '' })(failure)
}

it('writes what was counted once the minute is over, also where nothing happens any more, and what is left at the end', async () => {
  const { clock, rows, states, stop } = newProcess()
  call('one')
  call('one', 'timeout')
  await until('the first is written', async () => (await rows()).length === 1)
  clock.advance(MINUTE_MS)
  await until('the whole minute is written', async () => (await rows())[0]?.['calls'] === 2)
  expect(await rows()).toEqual([{ provider: 'one', calls: 2, failures: 1, spread: 2 }])
  call('one')
  await stop()
  expect((await rows()).map(({ calls }) => calls)).toEqual([2, 1])
  expect(await states()).toMatchObject([{ provider: 'one', state: 'answering', last_failure: 'timeout' }])
})

it('holds no call up while the database is away, loses nothing that was counted, and counts nothing twice', async () => {
  const { clock, rows, stop } = newProcess()
  let refused = 0
  proxy.onStatement = (text) => {
    if (!text.includes('provider_minute')) return 'pass'
    refused += 1
    return 'stop'
  }
  call('two')
  await until('a write is tried', () => refused === 1)
  const startedAt = performance.now()
  for (let at = 0; at < 10_000; at += 1) call('two')
  expect(performance.now() - startedAt).toBeLessThan(2_000)
  clock.advance(MINUTE_MS)
  await until('it is tried again', () => refused >= 2)
  // What arrived, and only the answer was lost, is written once more without being added.
  proxy.onStatement = () => 'pass'
  let lost = 0
  proxy.onReply = (text) => {
    if (!text.includes('provider_minute') || lost > 0) return 'pass'
    lost += 1
    return 'stop'
  }
  clock.advance(MINUTE_MS)
  await until('it arrives, and the answer is lost', () => lost === 1)
  clock.advance(MINUTE_MS)
  await stop()
  const total = (await rows()).reduce((sum, { calls }) => sum + Number(calls), 0)
  expect(total).toBe(10_001)
})

it('removes what is older than a day, and what ended processes have seen', async () => {
  const { clock, rows, states, stop, recorder } = newProcess()
  call('three')
  await stop()
  recorder.close()
  await removeOldHealth(db.pool, clock)
  expect([(await rows()).length, (await states()).length]).toEqual([1, 1])
  clock.advance(25 * 3_600_000)
  await removeOldHealth(db.pool, clock)
  expect([(await rows()).length, (await states()).length]).toEqual([0, 0])
})
