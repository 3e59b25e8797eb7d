import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it, onTestFinished, vi } from 'vitest'
import { removeOldFiles } from '../../kernel/built-files.js'
import { adjustableClock } from '../../kernel/clock.js'
import { ending } from '../../test/harness/at-end.js'
import { capturedLog } from '../../test/harness/captured-log.js'
import { statementsOf } from '../../test/harness/count-statements.js'
import { kernelDatabase } from '../../test/harness/migrated-database.js'
import { until } from '../../test/harness/until.js'
import { sharedBuilds } from './shared-builds.js'

const { pool } = (await kernelDatabase()).kernel
const { log, lines } = capturedLog()
const DAY_MS = 86_400_000

const pathOf = (name: string): string => `/checkout/assets/${name}`

/** A build on the database that has files of these names, each with its name in it. */
function buildOf(names: readonly string[], { clock = adjustableClock(), on = pool } = {}) {
  const builds = ending(sharedBuilds({ pool: on, clock, log }))
  for (const name of names) builds.add(pathOf(name), brotliCompressSync(name))
  return builds
}

it('finds what another build has, in every form that browsers take, and reads it once', async () => {
  const name = 'wallet-panel-a_b-c_d1.js'
  await buildOf([name]).keep()
  const other = buildOf(['wallet-panel-00000001.js'])
  const statements = await statementsOf(pool, async () => {
    const [file, again] = await Promise.all([other.find(pathOf(name)), other.find(pathOf(name))])
    expect(file?.plain.toString()).toBe(name)
    expect(brotliDecompressSync(file?.br ?? '').toString()).toBe(name)
    expect(gunzipSync(file?.gzip ?? '').toString()).toBe(name)
    expect(again).toBe(file)
    expect(await other.find(pathOf(name))).toBe(file)
  })
  expect(statements).toEqual(['built_files_find'])
})

it('writes what is in a file once, whoever has it, and the day once a day', async () => {
  const clock = adjustableClock()
  const [first, second] = [
    buildOf(['card-00000001.js', 'style-00000001.css'], { clock }),
    buildOf(['card-00000001.js']),
  ]
  expect(await statementsOf(pool, first.keep)).toEqual(['built_files_mark', 'built_files_add'])
  expect(await statementsOf(pool, second.keep)).toEqual(['built_files_mark'])
  expect(await statementsOf(pool, first.keep)).toEqual([])
  clock.advance(DAY_MS)
  expect(await statementsOf(pool, first.keep)).toEqual(['built_files_mark'])
})

it('keeps the files of a build as long as it runs, and for a month after', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const clock = adjustableClock()
  const [runs, ended] = [buildOf(['runs-00000001.js'], { clock }), buildOf(['ended-00000001.js'], { clock })]
  await Promise.all([runs.keep(), ended.keep()])
  await ended.close()
  const isThere = async (name: string) => (await buildOf([], { clock }).find(pathOf(name))) !== undefined

  clock.advance(30 * DAY_MS)
  await removeOldFiles(pool, clock)
  expect([await isThere('runs-00000001.js'), await isThere('ended-00000001.js')]).toEqual([true, true])

  vi.advanceTimersByTime(60_000)
  await until('the day is written', async () => {
    const { rows } = await pool.query<{ days: number }>(
      `select $1::date - seen_on as days from kernel.built_file where path like '%/runs-%'`,
      [clock.now().toISOString().slice(0, 10)],
    )
    return rows[0]?.days === 0
  })
  clock.advance(DAY_MS)
  await removeOldFiles(pool, clock)
  expect([await isThere('runs-00000001.js'), await isThere('ended-00000001.js')]).toEqual([true, false])
})

it('asks the database for many names at once, one statement after the other, and for none again that was not there just now', async () => {
  const clock = adjustableClock()
  const builds = buildOf([], { clock })
  const paths = Array.from({ length: 128 }, (_, index) => pathOf(`page-${String(index).padStart(8, '0')}.js`))
  const ask = () =>
    statementsOf(pool, async () => {
      const found = await Promise.all(paths.map((path) => builds.find(path)))
      expect(new Set(found)).toEqual(new Set([undefined]))
    })
  expect(await ask()).toEqual(['built_files_find', 'built_files_find'])
  expect(await ask()).toEqual([])
  clock.advance(10_001)
  expect(await ask()).toEqual(['built_files_find', 'built_files_find'])
})

it.each([
  'other.js',
  'page-0000000.js',
  'page-00000000.map',
  'page-00000000.js.br',
  'page-0000 000.js',
  '../page-00000000.js',
  `${'p'.repeat(101)}-00000000.js`,
])('never asks the database for %s, which no build can have', async (name) => {
  expect(await statementsOf(pool, () => buildOf([]).find(pathOf(name)))).toEqual([])
})

it('hinders no start where the database refuses: it says so, and writes later', async () => {
  let isAway = true
  const query = (statement: never) => (isAway ? Promise.reject(new Error('away')) : pool.query(statement))
  const builds = buildOf(['late-00000001.js'], { on: { query } as unknown as typeof pool })
  await builds.keep()
  expect(lines.join('')).toContain('could not be written down')
  isAway = false
  await builds.keep()
  expect(await buildOf([]).find(pathOf('late-00000001.js'))).toBeDefined()
})
