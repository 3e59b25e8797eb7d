import { describe, expect, it } from 'vitest'
import type { RequestContext } from '../../kernel/subgraph.js'
import type { PaymentNews } from './payment-news.js'
import { NEWS_PAGE, type AnnouncedEvent, type NewsReader } from './read-news.js'
import { placeOf, tenantNews } from './tenant-news.js'

const START_MS = Date.parse('2026-11-25T12:00:00Z')
const HOUR_MS = 3_600_000
/** The minute by which clocks may differ, and what a commit may take. */
const OVERLAP_MS = 70_000
/** More than a stream keeps in mind for a reader that is slow. */
const MORE_THAN_KEPT = 1_100

const context = { requestId: 'r', caller: { tenantId: 'tenant' } } as RequestContext
const idOf = (number: number): string => `c${String(number).padStart(24, '0')}`
const keyOf = ({ paymentId, sequence }: { paymentId: string; sequence: number }): string => `${paymentId}:${sequence}`
const isBehind = (event: AnnouncedEvent, place: AnnouncedEvent): boolean =>
  event.at === place.at ? keyOf(event) > keyOf(place) : event.at > place.at

/** A tenant's payments, whose changes are heard, and a clock that goes on by each of them. */
function newWorld() {
  let nowMs = START_MS
  /** By their times, whenever they are made. */
  const events: AnnouncedEvent[] = []
  const histories = new Map<string, AnnouncedEvent[]>()
  const listeners = new Set<(paymentId: string | undefined) => void>()
  const readFrom: number[] = []
  const happen = (number: number, atMs = (nowMs += 1)): void => {
    const paymentId = idOf(number)
    const history = histories.get(paymentId) ?? []
    const event = { at: new Date(atMs).toISOString(), paymentId, sequence: history.length + 2 }
    events.splice(events.findLastIndex(({ at }) => at <= event.at) + 1, 0, event)
    histories.set(paymentId, [...history, event])
    for (const listener of listeners) listener(paymentId)
  }
  const read: NewsReader = {
    history: (_context, paymentId, after) => {
      const all = histories.get(paymentId) ?? []
      const entries = all.filter(({ sequence }) => sequence > after).slice(0, NEWS_PAGE)
      const shown = entries.map(({ sequence, at }) => ({ sequence, notify: true, createdAt: at }))
      return Promise.resolve({ last: all.at(-1)?.sequence ?? 0, entries: shown })
    },
    announced: (_context, place) => {
      if (place.paymentId === '') readFrom.push(Date.parse(place.at))
      const first = events.findIndex((event) => isBehind(event, place))
      return Promise.resolve(first < 0 ? [] : events.slice(first, first + NEWS_PAGE))
    },
  }
  const clock = { now: () => new Date(nowMs), aheadMs: () => 0, steadyMs: () => nowMs }
  const subscribeTenant = (_tenantId: string, onChange: (paymentId: string | undefined) => void) => {
    listeners.add(onChange)
    return () => void listeners.delete(onChange)
  }
  const changes = { subscribe: () => () => undefined, subscribeTenant, close: () => undefined }
  const open = (lastEventId?: string) => {
    const resume = lastEventId === undefined ? undefined : placeOf(lastEventId, clock)
    return tenantNews({ changes, read, clock }, context, resume, new AbortController().signal)
  }
  const pass = (ms: number): void => void (nowMs += ms)
  const loseConnection = (): void => {
    for (const listener of listeners) listener(undefined)
  }
  const now = (): number => nowMs
  return { events, happen, loseConnection, now, open, pass, readFrom }
}

/** Reads so many news; before each of them something happens. */
async function readNews(
  stream: AsyncGenerator<PaymentNews>,
  count: number,
  meanwhile: (index: number) => void = () => undefined,
): Promise<PaymentNews[]> {
  const told: PaymentNews[] = []
  for (let index = 0; index < count; index += 1) {
    const next = stream.next()
    // The reader takes its time: what happens now finds the stream at work.
    await Promise.resolve()
    meanwhile(index)
    const { value, done } = await next
    if (done) break
    told.push(value)
  }
  return told
}

/** Reads all that there is. */
async function readAll(stream: AsyncGenerator<PaymentNews>): Promise<PaymentNews[]> {
  const told: PaymentNews[] = []
  for (;;) {
    const nothing = new Promise<undefined>((resolve) => setImmediate(() => setImmediate(resolve, undefined)))
    const next = await Promise.race([stream.next(), nothing])
    if (next === undefined || next.done) return told
    told.push(next.value)
  }
}

const LAST_OF_BURST = 100_000 + MORE_THAN_KEPT

/** More news at once than a stream keeps in mind. */
function burst(happen: (number: number) => void): void {
  for (let number = 100_001; number <= LAST_OF_BURST; number += 1) happen(number)
}

describe('a stream of all payments whose reader is slower than the news', () => {
  it('tells what found no place while the load goes on, and not when it has ended', async () => {
    const { happen, open } = newWorld()
    const stream = open()
    const told = await readNews(stream, 2 * MORE_THAN_KEPT, (index) => {
      for (let times = 0; times < (index === 0 ? 5 : 1); times += 1) happen(5 * index + times)
      // While what came before is told.
      if (index === 2) burst(happen)
    })
    expect(told.map(({ paymentId }) => paymentId)).toContain(idOf(LAST_OF_BURST))
  })

  it('can be gone on with from any of its events, and nothing is missed', async () => {
    const { events, happen, loseConnection, open, pass } = newWorld()
    const told = await readNews(open(), 3 * MORE_THAN_KEPT, (index) => {
      // Minutes lie between the first of what waits and the last, which is more than is told again after a break.
      pass(400)
      for (let times = 0; times < (index === 0 ? 5 : 1); times += 1) happen(index % 7 === 6 ? 1 : 5 * index + times)
      if (index === 2 || index === 1_500) burst(happen)
      if (index === 2_500) loseConnection()
    })
    for (let cut = 1; cut < told.length; cut += 300) {
      const known = new Set(told.slice(0, cut).map(keyOf))
      for (const news of await readAll(open(told[cut - 1]?.id))) known.add(keyOf(news))
      expect(events.filter((event) => !known.has(keyOf(event)))).toEqual([])
    }
  })

  it('reads a long history once, though it cannot keep up while it does', async () => {
    const { happen, open, readFrom } = newWorld()
    const fromMs = START_MS - 20 * HOUR_MS
    for (let number = 0; number < 2 * NEWS_PAGE; number += 1) happen(number, fromMs + number * 60_000)
    const stream = open(`${idOf(0)}:2:${fromMs.toString(36)}`)
    await readNews(stream, 2 * NEWS_PAGE - 1, (index) => {
      for (let times = 0; times < 10; times += 1) happen(10_000 + 10 * index + times)
    })
    await readAll(stream)
    expect(readFrom[0]).toBe(fromMs - OVERLAP_MS)
    expect(readFrom.length).toBeGreaterThan(1)
    expect(Math.min(...readFrom.slice(1))).toBeGreaterThanOrEqual(START_MS - OVERLAP_MS)
  })
})

describe('a stream of all payments, where the clock of a process that changes payments is nearly a minute behind', () => {
  const BEHIND_MS = 55_000

  it('goes on from an event with what that process has changed since', async () => {
    const { happen, now, open, pass } = newWorld()
    const stream = open()
    const next = stream.next()
    happen(1)
    const told = (await next).value as PaymentNews
    await stream.return(undefined)
    pass(5_000)
    happen(2, now() - BEHIND_MS)
    expect((await readAll(open(told.id))).map(({ paymentId }) => paymentId)).toContain(idOf(2))
  })

  it('tells what that process has changed while nothing was heard, though it was just opened', async () => {
    const { events, happen, loseConnection, now, open, pass } = newWorld()
    const stream = open()
    const next = stream.next()
    happen(1)
    await next
    pass(5_000)
    // Nobody hears of it.
    events.unshift({ at: new Date(now() - BEHIND_MS).toISOString(), paymentId: idOf(2), sequence: 2 })
    loseConnection()
    expect((await readAll(stream)).map(({ paymentId }) => paymentId)).toContain(idOf(2))
  })
})
