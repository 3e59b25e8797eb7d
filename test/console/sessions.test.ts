import { describe, expect, it } from 'vitest'
import { type ConsoleBrowser, newMember, signIn } from '../harness/console.js'
import { openStream, type RawStream } from '../harness/event-stream.js'
import { startHarness } from '../harness/harness.js'
import { until } from '../harness/until.js'

const HOUR_MS = 3_600_000
const LIMIT = 100
const harness = await startHarness({ RATE_LIMIT_PER_MINUTE: String(LIMIT) })
const { tenant } = harness

/** A person of the tenant, signed in. */
const member = (email: string, role: 'owner' | 'viewer' = 'viewer') => newMember(harness, role, email)

const follow = (browser: ConsoleBrowser): Promise<RawStream> =>
  openStream(`${harness.url}/graphql`, {
    method: 'POST',
    headers: { cookie: browser.cookie() ?? '', 'x-console': '1' },
    body: { query: 'subscription { paymentsUpdated { id status } }' },
  })

/** Makes something happen, once for each call, of which every stream is told that is still allowed to be. */
async function changes(count: number): Promise<() => Promise<void>> {
  const ids: string[] = []
  for (let made = 0; made < count; made += 1) ids.push(await tenant.register())
  return async () => void (await tenant.post(`/payment/${ids.pop() ?? 'none'}/cancel`))
}

const untilEnded = (stream: RawStream) => until('the stream has ended', () => stream.isEnded())

describe('a session with a page that was left open', () => {
  it('runs out for want of acts, however much is told by its stream and asked because of it', async () => {
    const change = await changes(12)
    const browser = await member('idle@example.com')
    const stream = await follow(browser)
    expect(stream.status).toBe(200)
    for (let hour = 0; hour < 11; hour += 1) {
      harness.clock.advance(HOUR_MS)
      const live = await browser.graphql('{ account { id } }', {}, { 'x-console': 'live' })
      expect([hour, live.status]).toEqual([hour, 200])
      await change()
      await stream.untilCount(hour + 1)
    }
    harness.clock.advance(HOUR_MS)
    expect((await browser.get('session')).status).toBe(401)
    expect((await browser.graphql('{ account { id } }')).status).toBe(403)
    await change()
    await untilEnded(stream)
    expect(stream.events).toHaveLength(11)
  })

  it('is renewed by what its person does', async () => {
    const browser = await member('busy@example.com')
    for (const hours of [11, 11, 11]) {
      harness.clock.advance(hours * HOUR_MS)
      expect((await browser.graphql('{ account { id } }')).status).toBe(200)
    }
  })
})

describe('a stream of a session', () => {
  const OWNER = 'boss@example.com'

  it('ends when the session is ended on the server, when its person is removed, and with another role', async () => {
    const happen = await changes(1)
    const owner = await member(OWNER, 'owner')
    const [out, removed, changed, stays] = [
      await member('out@example.com'),
      await member('removed@example.com'),
      await member('changed@example.com'),
      await member('stays@example.com'),
    ]
    const streams = await Promise.all([out, removed, changed].map(follow))
    const told = await follow(stays)
    expect((await out.post('sign-out', {})).status).toBe(204)
    const { body } = await owner.graphql('{ people { id email } }')
    const idOf = (email: string) =>
      (body.data?.['people'] as { id: string; email: string }[]).find((person) => person.email === email)?.id
    const remove = 'mutation ($id: ID!) { removePerson(id: $id) { errors { code } } }'
    const gone = await owner.graphql(remove, { id: idOf('removed@example.com') })
    expect(gone.body.data).toEqual({ removePerson: { errors: [] } })
    const change = 'mutation ($id: ID!) { changePersonRole(id: $id, role: SUPPORT) { errors { code } } }'
    const other = await owner.graphql(change, { id: idOf('changed@example.com') })
    expect(other.body.data).toEqual({ changePersonRole: { errors: [] } })
    harness.clock.advance(5_000)
    await happen()
    await told.untilCount(1)
    await until('all have ended', () => streams.every((stream) => stream.isEnded())).catch(() => undefined)
    expect(streams.map((stream) => [stream.isEnded(), stream.events])).toEqual(streams.map(() => [true, []]))
    told.close()
  })
})

describe('the rate of a person', () => {
  it('is one, however often the tenant is chosen anew', async () => {
    const browser = await member('fast@example.com')
    harness.clock.advance(60_000)
    const statuses: number[] = []
    for (let asked = 0; asked < LIMIT + 5; asked += 1) {
      if (asked % 20 === 19) expect((await browser.post('session/tenant', { tenantId: tenant.id })).status).toBe(200)
      statuses.push((await browser.graphql('{ account { id } }')).status)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT)
    expect(statuses.at(-1)).toBe(429)
    harness.clock.advance(60_000)
  })

  it('does not take choosing without end', async () => {
    const browser = await member('chooser@example.com')
    harness.clock.advance(60_000)
    const statuses = new Set<number>()
    for (let asked = 0; asked < 120; asked += 1) {
      statuses.add((await browser.post('session/tenant', { tenantId: tenant.id })).status)
    }
    expect([...statuses]).toEqual([200, 429])
    harness.clock.advance(60_000)
  })
})

describe('the sessions of a person', () => {
  it('are listed to that person alone, who can end each', async () => {
    const email = 'listed@example.com'
    const browser = await member(email)
    const stolen = await signIn(harness, email)
    const { body } = await browser.graphql('{ sessions { id isCurrent address agent createdAt lastUsedAt } }')
    const [newest, ...more] = (body.data?.['sessions'] ?? []) as { id: string; isCurrent: boolean }[]
    expect([newest?.isCurrent, ...more.map(({ isCurrent }) => isCurrent)]).toEqual([false, true])
    const end = async (as: ConsoleBrowser) =>
      (
        await as.graphql('mutation ($id: ID!) { endSession(id: $id) { session { id } errors { code } } }', {
          id: newest?.id,
        })
      ).body.data?.['endSession']
    expect(await end(await member('stranger@example.com'))).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] })
    expect(await end(browser)).toEqual({ session: { id: newest?.id }, errors: [] })
    expect((await stolen.get('session')).status).toBe(401)
    expect((await browser.get('session')).status).toBe(200)
  })
})
