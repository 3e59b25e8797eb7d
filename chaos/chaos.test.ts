import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { report } from './report.js'
import { attack, settle, type Attack } from './run-seed.js'
import { startHarness, type Harness } from './harness/harness.js'

const SEEDS = [1, 2, 3]
/** Short enough for every run of the tests; `npm run chaos` takes its time. */
const MINUTES = 0.12
/** On a slow machine; the harness is at rest within half a minute on two idle cores. */
const REST_MS = 150_000

let harness: Harness | undefined
beforeAll(async () => {
  harness = await startHarness({ blockSeconds: 1 })
}, 240_000)
afterAll(() => harness?.stop({ keepsFolder: false }), 120_000)

describe('a hostile world', () => {
  it('leaves nothing undone and nothing done twice, and every process ends in time', async () => {
    if (!harness) throw new Error('there is no harness')
    const attacks: Attack[] = []
    for (const seed of SEEDS) attacks.push(await attack(harness, { seed, minutes: MINUTES }))
    const results = await settle(harness, attacks, REST_MS)
    const { folder } = harness
    for (const result of results) expect(result.findings, report(result, folder)).toEqual([])
    // A harness in which nothing was answered would hold every promise.
    for (const { journal } of results) expect(journal.filter(({ status }) => status === 201).length).toBeGreaterThan(5)
    const stopped = await harness.stop({ keepsFolder: false })
    harness = undefined
    expect(stopped).toEqual([])
  }, 600_000)
})
