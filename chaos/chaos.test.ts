import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { report } from './report.js'
import { attack, settle, type Attack } from './run-seed.js'
import { startWorld, type World } from './world/world.js'

const SEEDS = [1, 2, 3]
/** Short enough for every run of the tests; `npm run chaos` takes its time. */
const MINUTES = 0.12
/** On a slow machine; the world is at rest within half a minute on two idle cores. */
const REST_MS = 150_000

let world: World | undefined
beforeAll(async () => {
  world = await startWorld({ blockSeconds: 1 })
}, 240_000)
afterAll(() => world?.stop({ keepsFolder: false }), 120_000)

describe('a hostile world', () => {
  it('leaves nothing undone and nothing done twice, and every process ends in time', async () => {
    if (!world) throw new Error('there is no world')
    const attacks: Attack[] = []
    for (const seed of SEEDS) attacks.push(await attack(world, { seed, minutes: MINUTES }))
    const results = await settle(world, attacks, REST_MS)
    const { folder } = world
    for (const result of results) expect(result.findings, report(result, folder)).toEqual([])
    // A world in which nothing was answered would hold every promise.
    for (const { journal } of results) expect(journal.filter(({ status }) => status === 201).length).toBeGreaterThan(5)
    const stopped = await world.stop({ keepsFolder: false })
    world = undefined
    expect(stopped).toEqual([])
  }, 600_000)
})
