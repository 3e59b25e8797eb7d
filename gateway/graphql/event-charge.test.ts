import { expect, it } from 'vitest'
import type { RateVerdict } from '../rate-limit/rate-headers.js'
import { openStream, type SentEvent } from '../../test/harness/event-stream.js'
import type { StreamEvent } from '../live/event-streams.js'
import { startHarness } from '../../test/harness/harness.js'
import { until } from '../../test/harness/until.js'
import type { AnswerCost } from './answer-cost.js'
import { eventCharge } from './event-charge.js'

const LIMIT = 100
/** Weighs more than ten requests. */
const LARGE = `subscription { paymentsUpdated { id ${Array.from(
  { length: 4 },
  (_, index) => `h${index}: history(first: 100) { sequence status cause }`,
).join(' ')} } }`
const harness = await startHarness({ RATE_LIMIT_PER_MINUTE: String(LIMIT) })

const costIn = (data = '{}'): AnswerCost => (JSON.parse(data) as { extensions: { cost: AnswerCost } }).extensions.cost

async function follow(query: string, payments: number) {
  const tenant = await harness.dashboard.newTenant()
  const ids: string[] = []
  while (ids.length < payments) ids.push(await tenant.register())
  const stream = await openStream(`${harness.url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': tenant.key },
    body: { query },
  })
  return {
    tenant,
    stream,
    /** Changes a payment of the tenant. @returns what the event has cost that tells of it */
    change: async (index: number): Promise<AnswerCost> => {
      await tenant.post(`/payment/${ids[index]}/cancel`)
      return costIn((await stream.untilCount(index + 1))[index]?.data)
    },
    cancel: (index: number) => tenant.post(`/payment/${ids[index]}/cancel`),
  }
}

it('a small event counts nothing beyond the request that opened its stream', async () => {
  const { change } = await follow('subscription { paymentsUpdated { id status } }', 3)
  const left = LIMIT - 3 - 1
  expect(await change(0)).toEqual({ requested: 1, actual: 1, limit: LIMIT, remaining: left - 1 })
  for (const index of [1, 2])
    expect(await change(index)).toEqual({ requested: 0, actual: 0, limit: LIMIT, remaining: left - 1 - index })
})

it('a large event counts what it weighs beyond one, from the second on, and comes once the minute has room for it', async () => {
  const { change, cancel, stream, tenant } = await follow(LARGE, 4)
  const first = await change(0)
  const weight = first.requested
  expect(weight).toBeGreaterThan(10)
  expect(first.remaining).toBe(LIMIT - 4 - weight - 1)
  const second = await change(1)
  expect(second).toEqual({
    requested: weight - 1,
    actual: 0,
    limit: LIMIT,
    remaining: (first.remaining ?? 0) - 1 - (weight - 1),
  })
  // Leaves less than one more event needs.
  for (let left = second.remaining ?? 0; left >= weight - 1; left -= 1) await tenant.get('/config/products')
  await cancel(2)
  expect((await tenant.get('/config/products')).status).toBe(200)
  expect(stream.events).toHaveLength(2)
  harness.clock.advance(61_000)
  const [, , third] = await stream.untilCount(3)
  expect(JSON.parse(third?.data ?? '')).toMatchObject({
    extensions: { cost: { requested: weight - 1, remaining: LIMIT - (weight - 1) } },
  })
})

it('large events leave half of the minute to requests, however many of them wait', async () => {
  const { change, cancel, stream, tenant } = await follow(LARGE, 12)
  const each = (await change(0)).requested - 1
  for (let index = 1; index < 12; index += 1) await cancel(index)
  harness.clock.advance(61_000)
  const before = stream.events.length
  const told = Math.floor(LIMIT / 2 / each)
  const isFull = ({ data }: SentEvent) => costIn(data).remaining === LIMIT - told * each
  await until('the events have taken their part', () => stream.events.slice(before).some(isFull))
  const count = stream.events.length
  for (let left = LIMIT - told * each; left > 0; left -= 1)
    expect((await tenant.get('/config/products')).status).toBe(200)
  expect(stream.events).toHaveLength(count)
})

/** What is told before the next event, and whether that may be told then. */
async function turn(next: AsyncGenerator<StreamEvent, boolean>) {
  const before: StreamEvent[] = []
  for (;;) {
    const { done, value } = await next.next()
    if (done === true) return { before, isTurn: value }
    before.push(value)
  }
}

it('a stream looks again until there is room for an event, and no further once it has ended', async () => {
  const ending = new AbortController()
  const charged: number[] = []
  let [room, waits] = [1, 0]
  const admission = {
    chargeEvent: (_key: string, weight: number): RateVerdict => {
      charged.push(weight)
      return { allowed: weight <= room, limit: LIMIT, remaining: 7, resetSeconds: 60 }
    },
  }
  const measured = { weight: 5, fields: 2, conditions: 0, rootKeys: new Set(['paymentsUpdated']) }
  const { next, costOf } = eventCharge(admission, { keyHash: 'key', counted: 6 }, measured, () => {
    waits += 1
    if (waits === 3) room = 5
    if (waits === 4) ending.abort()
    return Promise.resolve()
  })
  expect(await turn(next(ending.signal))).toEqual({ before: [], isTurn: true })
  // One more than the operation: its document was validated.
  expect(costOf({ payment: { id: 'x' } })).toEqual({ requested: 6, actual: 2, limit: LIMIT, remaining: 7 })
  expect(await turn(next(ending.signal))).toEqual({ before: [], isTurn: true })
  expect([waits, charged]).toEqual([3, [1, 5, 5, 5, 5]])
  expect(costOf({ payment: { id: 'x' } })).toMatchObject({ requested: 4, actual: 0 })
  room = 0
  expect(await turn(next(ending.signal))).toEqual({ before: [], isTurn: false })
  expect(waits).toBe(4)
})

it('a client is told each minute that an event waits, with what it would count and no id, and gets the event', async () => {
  let waits = 0
  const admission = {
    chargeEvent: (_key: string, weight: number): RateVerdict => ({
      allowed: weight === 1 || waits === 130,
      ...{ limit: LIMIT, remaining: 3, resetSeconds: 60 },
    }),
  }
  const measured = { weight: 5, fields: 2, conditions: 0, rootKeys: new Set(['paymentsUpdated']) }
  const { next, costOf } = eventCharge(admission, { keyHash: 'key', counted: 5 }, measured, () => {
    waits += 1
    return Promise.resolve()
  })
  const { signal } = new AbortController()
  expect(await turn(next(signal))).toEqual({ before: [], isTurn: true })
  const { before, isTurn } = await turn(next(signal))
  expect(isTurn).toBe(true)
  expect(before).toHaveLength(2)
  for (const { event, id, data } of before) {
    expect([event, id]).toEqual(['next', undefined])
    expect(JSON.parse(data)).toEqual({
      errors: [{ message: expect.any(String) as string, extensions: { code: 'RATE_LIMITED' } }],
      extensions: { cost: { requested: 4, actual: 0, limit: LIMIT, remaining: 3 } },
    })
  }
  expect(costOf({ payment: { id: 'x' } })).toMatchObject({ requested: 4, actual: 0 })
})
