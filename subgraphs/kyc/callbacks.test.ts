import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { until } from '../../test/harness/until.js'
import { startKycHarness } from '../../test/harness/kyc.js'
import { newSession, recordWhen } from '../../test/harness/kyc-sessions.js'

const masterKeys = [randomBytes(32)]
const harness = await startKycHarness({ masterKeys })

describe("a provider's callback", () => {
  const sent = async (body: string, headers: Record<string, string>, url = harness.callbackUrl): Promise<number> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    await answer.body?.cancel()
    return answer.status
  }
  const mac = (text: string, secret = harness.webhookSecret): string =>
    createHmac('sha256', secret).update(text).digest('hex')
  const seconds = (): number => Math.floor(harness.clock.now().getTime() / 1000)
  const bodyOf = (sessionId: string, status: string, more = {}): string =>
    JSON.stringify({ session_id: sessionId, status, webhook_type: 'status.updated', timestamp: seconds(), ...more })
  const signed = (body: string): Record<string, string> => ({
    'x-timestamp': String(seconds()),
    'x-signature': mac(body),
  })

  it('is believed in nothing but that something has happened', async () => {
    const { email, sessionId } = await newSession(harness)
    const body = bodyOf(sessionId, 'Approved')
    expect(await sent(body, signed(body))).toBe(200)
    await until('the callback is processed', async () => (await openCallbacks()) === 0)
    expect(await harness.must('kycRecord', { email })).toMatchObject({
      status: 'PENDING',
      sessionStatus: 'Not Started',
    })
  })

  it('is refused where it is forged, altered, too old or not JSON', async () => {
    const { sessionId } = await newSession(harness)
    const body = bodyOf(sessionId, 'Approved')
    const before = await harness.query('select count(*)::int as n from kyc.provider_event')
    const old = String(seconds() - 301)
    expect(await sent(body, {})).toBe(401)
    expect(await sent(body, { ...signed(body), 'x-signature': mac(body, 'another secret') })).toBe(401)
    expect(await sent(bodyOf(sessionId, 'Declined'), signed(body))).toBe(401)
    expect(await sent(body, { ...signed(body), 'x-timestamp': old })).toBe(401)
    expect(await sent(body, { ...signed(body), 'x-timestamp': String(seconds() + 400) })).toBe(401)
    expect(await sent(body, { 'x-signature': mac(body) })).toBe(401)
    const replayed = bodyOf(sessionId, 'Approved', { timestamp: Number(old) })
    expect(await sent(replayed, signed(replayed))).toBe(401)
    expect(await sent('hello', signed('hello'))).toBe(400)
    const other = harness.callbackUrl.replace('didit', 'nobody')
    expect(await sent(body, signed(body), other)).toBe(404)
    expect(await harness.query('select count(*)::int as n from kyc.provider_event')).toEqual(before)
  })

  it('is refused, and no failure of ours, where it is too deep, too wide or too large', async () => {
    const headers = { 'x-timestamp': String(seconds()), 'x-signature-v2': 'a'.repeat(64) }
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 1])))
    expect(await sent(deep, headers)).toBe(400)
    expect(await sent(wide, headers)).toBe(400)
    expect(await sent(deep, { ...headers, 'x-timestamp': '1' })).toBe(401)
    const { sessionId } = await newSession(harness)
    const padded = (length: number): string => {
      const body = bodyOf(sessionId, 'In Progress', { padding: '' })
      return body.replace('"padding":""', `"padding":"${'x'.repeat(length - body.length)}"`)
    }
    const [largest, larger] = [padded(256 * 1024), padded(256 * 1024 + 1)]
    expect(await sent(largest, signed(largest))).toBe(200)
    expect(await sent(larger, signed(larger))).toBe(413)
  })

  it('may be signed in each of the three ways', async () => {
    const { sessionId } = await newSession(harness)
    const body = bodyOf(sessionId, 'In Progress')
    const timestamp = String(seconds())
    const canonical = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).sort()))
    const simple = mac(`${timestamp}:${sessionId}:In Progress:status.updated`)
    for (const headers of [
      { 'x-signature-v2': mac(canonical) },
      { 'x-signature-v2': mac(`${timestamp}:${canonical}`) },
      { 'x-signature-simple': simple },
    ])
      expect(await sent(body, { 'x-timestamp': timestamp, ...headers })).toBe(200)
  })

  it('is absorbed where it is repeated', async () => {
    const { email, sessionId } = await newSession(harness)
    await harness.decide(sessionId, { status: 'Approved', callback: false })
    const body = bodyOf(sessionId, 'Approved')
    const answers = await Promise.all(Array.from({ length: 10 }, () => sent(body, signed(body))))
    expect(new Set(answers)).toEqual(new Set([200]))
    const { id } = await recordWhen(harness, email, 'Approved')
    expect(await sent(body, signed(body))).toBe(200)
    await until('all is processed', async () => (await openCallbacks()) === 0)
    expect(await harness.query('select sequence from kyc.person where id = $1', [id])).toEqual([{ sequence: 2 }])
  })

  it('that comes late does not undo a newer one', async () => {
    const { email, sessionId } = await newSession(harness)
    const early = bodyOf(sessionId, 'In Progress')
    await harness.decide(sessionId, { status: 'Approved' })
    await recordWhen(harness, email, 'Approved')
    expect(await sent(early, signed(early))).toBe(200)
    await until('all is processed', async () => (await openCallbacks()) === 0)
    expect(await harness.must('kycRecord', { email })).toMatchObject({ status: 'APPROVED', sessionStatus: 'Approved' })
  })

  it('counts where its process is behind one that has asked the provider before', async () => {
    const now = () => new Date(harness.clock.now().getTime() + 10_000)
    const ahead = await harness.reopen(masterKeys, { ...harness.clock, now })
    const { email, sessionId } = await newSession(harness)
    harness.clock.advance(16_000)
    expect(await ahead.must('kycRecord', { email })).toMatchObject({ status: 'PENDING' })
    const before = await closedCallbacks()
    await harness.decide(sessionId, { status: 'Approved' })
    await until('the callback is processed', async () => (await closedCallbacks()) > before)
    const [session] = await harness.query('select status from kyc.session where provider_session_id = $1', [sessionId])
    expect(session).toEqual({ status: 'approved' })
  })

  it('about a session that is not ours is taken and forgotten', async () => {
    const body = bodyOf('11111111-2222-3333-4444-555555555555', 'Approved')
    expect(await sent(body, signed(body))).toBe(200)
    await until('it is processed', async () => (await openCallbacks()) === 0)
  })

  it('is repeated by the provider while we are down, and otherwise made up for by asking', async () => {
    const { email, sessionId } = await newSession(harness)
    await harness.decide(sessionId, { status: 'Declined', callback: false })
    expect(await harness.must('kycRecord', { email })).toMatchObject({ sessionStatus: 'Not Started' })
    harness.clock.advance(16_000)
    expect(await harness.must('kycRecord', { email })).toMatchObject({ status: 'DECLINED', sessionStatus: 'Declined' })
  })

  it('is worked off however long the provider is away, and keeps its body for a month only', async () => {
    const { email, sessionId } = await newSession(harness)
    await until('all else is processed', async () => (await openCallbacks()) === 0)
    await harness.decide(sessionId, { status: 'Approved', callback: false })
    await harness.fault('provider', { mode: 'error' })
    const body = bodyOf(sessionId, 'Approved')
    expect(await sent(body, signed(body))).toBe(200)
    await harness.useUpJobs('process-kyc-callback')
    await harness.runPeriodic('revive-kyc-jobs')
    await harness.runPeriodic('revive-kyc-jobs')
    const live = `select count(*)::int as n from graphile_worker._private_jobs
      where key like 'process-kyc-callback:%' and attempts < max_attempts`
    expect(await harness.query(live)).toEqual([{ n: 1 }])
    const bodies = 'select count(body_sealed)::int as n from kyc.provider_event where processed_at is null'
    harness.clock.advance(29 * 86_400_000)
    await harness.runPeriodic('remove-old-kyc-callbacks')
    expect(await harness.query(bodies)).toEqual([{ n: 1 }])
    harness.clock.advance(2 * 86_400_000)
    await harness.runPeriodic('remove-old-kyc-callbacks')
    expect([await harness.query(bodies), await openCallbacks()]).toEqual([[{ n: 0 }], 1])
    await harness.useUpJobs('process-kyc-callback')
    await harness.fault('provider', { mode: 'ok' })
    await harness.runPeriodic('revive-kyc-jobs')
    await recordWhen(harness, email, 'Approved')
    await until('it is processed', async () => (await openCallbacks()) === 0)
  })

  /** How many callbacks are worked off. */
  const closedCallbacks = () => callbacksWhere('processed_at is not null')
  const openCallbacks = () => callbacksWhere('processed_at is null')
  async function callbacksWhere(condition: string): Promise<number> {
    const [row] = await harness.query(`select count(*)::int as n from kyc.provider_event where ${condition}`)
    return Number(row?.['n'])
  }
})
