import { expect, it } from 'vitest'
import { KERNEL_MIGRATIONS } from '../../../app/kernel-database.js'
import { adjustableClock } from '../../../kernel/clock.js'
import { openDatabase } from '../../../kernel/database.js'
import { createLog } from '../../../kernel/log.js'
import { bucketOf, noDurations } from '../../../kernel/provider-health/durations.js'
import type { ProviderMinute, SeenProvider } from '../../../kernel/provider-health/record-calls.js'
import { writeHealth } from '../../../kernel/provider-health/write-health.js'
import { ending } from '../../../test/harness/at-end.js'
import { migratedDatabase } from '../../../test/harness/migrated-database.js'
import { listProviderHealth } from './list-provider-health.js'
import { providerHealthStore } from './store.js'

const { url } = await migratedDatabase()
const options = { url, schema: 'kernel', entities: [], migrations: KERNEL_MIGRATIONS, poolSize: 2 }
const db = ending(await openDatabase({ ...options, log: createLog('silent') }))
const clock = adjustableClock()
const deps = { clock, providerHealth: providerHealthStore(db) }
const now = clock.now()
const minuteMs = Math.floor(now.getTime() / 60_000) * 60_000

const ago = (minutes: number): number => minuteMs - minutes * 60_000

type Said = Partial<Omit<SeenProvider, 'provider' | 'chain' | 'host'>>

/** What one process has written of a provider. */
async function written(
  processId: string,
  provider: string,
  said: Said,
  minutes: { at: number; times: readonly number[]; failures?: number }[] = [],
): Promise<void> {
  const watched = { provider, chain: '', host: '' }
  const unsaid = { state: undefined, sinceMs: undefined, lastAnswerMs: undefined, lastFailureMs: undefined }
  const rows = minutes.map(({ at, times, failures = 0 }): ProviderMinute => {
    const durations = noDurations()
    for (const ms of times) durations[bucketOf(ms)] = (durations[bucketOf(ms)] ?? 0) + 1
    return { ...watched, minuteMs: at, calls: times.length, failures, slowestMs: Math.max(...times), durations }
  })
  const providers = [{ ...watched, ...unsaid, lastFailure: undefined, ...said }]
  await writeHealth(db.pool, { processId, now }, { providers, minutes: rows })
}

async function healthOf(provider: string) {
  return (await listProviderHealth(deps)).find((one) => one.provider === provider)
}

it('adds up the calls of all processes in the last five minutes and in the last hour, and no older ones', async () => {
  const said = { state: 'answering', sinceMs: ago(70), lastAnswerMs: ago(1) } as const
  await written('p1', 'pix', said, [
    { at: ago(1), times: [10, 10, 10, 900], failures: 1 },
    { at: ago(30), times: [5_000] },
    { at: ago(61), times: [9_000, 9_000] },
  ])
  await written('p2', 'pix', said, [{ at: ago(1), times: [10, 2_000] }])
  const { last5Minutes, last60Minutes } = (await healthOf('pix')) ?? {}
  expect(last5Minutes).toMatchObject({ calls: 6, failures: 1, slowestMs: 2_000 })
  expect(last5Minutes?.medianMs).toBeGreaterThan(7)
  expect(last5Minutes?.medianMs).toBeLessThan(13)
  expect(last60Minutes).toMatchObject({ calls: 7, failures: 1, slowestMs: 5_000 })
})

it('fails where the newest call of any process failed, since the last answer that any of them had', async () => {
  const failing = { state: 'failing', lastFailureMs: ago(1), lastFailure: 'timeout' } as const
  await written('p1', 'card', { ...failing, sinceMs: ago(50), lastAnswerMs: ago(51) })
  await written('p2', 'card', { state: 'answering', sinceMs: ago(90), lastAnswerMs: ago(20) })
  expect(await healthOf('card')).toMatchObject({
    ...{ state: 'failing', lastFailure: 'timeout' },
    since: new Date(ago(20)),
    last5Minutes: { calls: 0, failures: 0, medianMs: null, slowestMs: null },
  })
  // The other process has it from then on, too; before, it answered neither.
  await written('p2', 'card', { ...failing, sinceMs: ago(10), lastAnswerMs: ago(20) })
  expect((await healthOf('card'))?.since).toEqual(new Date(ago(20)))
})

it('answers again since the last failure of any process, also of one that has ended', async () => {
  await written('dead', 'lifi', { state: 'failing', sinceMs: ago(60), lastFailureMs: ago(40), lastFailure: 'auth' })
  await written('p1', 'lifi', { state: 'answering', sinceMs: ago(30), lastAnswerMs: ago(2) })
  expect(await healthOf('lifi')).toMatchObject({ state: 'answering', since: new Date(ago(30)), lastFailure: 'auth' })
})

it('lists who was not called yet', async () => {
  await written('p1', 'smtp', {})
  expect(await healthOf('smtp')).toMatchObject({ state: 'not_called', since: null, lastFailure: null })
})
