import { describe, expect, it } from 'vitest'
import { startKycHarness } from '../../test/harness/kyc.js'
import { newSession, recordWhen, type Session } from '../../test/harness/kyc-sessions.js'

const harness = await startKycHarness()

describe('a verification session', () => {
  it('needs a person who is prepared and proved', async () => {
    const email = harness.newEmail()
    expect((await harness.send('createKycSession', { input: {} })).code).toBe('MISSING_PARAMS')
    expect((await harness.send('createKycSession', { input: { email } })).code).toBe('USER_NOT_PREPARED')
    await harness.must('prepareKyc', { input: { email } })
    expect((await harness.send('createKycSession', { input: { email } })).code).toBe('IDENTITY_NOT_VERIFIED')
    expect((await harness.send('kycRecord', { email: harness.newEmail() })).code).toBe('KYC_NOT_FOUND')
    expect((await harness.send('kycRecord', {})).code).toBe('MISSING_PARAMS')
  })

  it('is created once and then resumed', async () => {
    const email = await harness.provedEmail()
    expect(await harness.must('kycRecord', { email })).toMatchObject({ status: 'PENDING', sessionId: null })
    const created = await harness.must('createKycSession', { input: { email } })
    expect(created).toMatchObject({ message: 'KYC_SESSION_CREATED', session: { sessionStatus: 'Not Started' } })
    const resumed = await harness.must('createKycSession', { input: { email } })
    expect(resumed).toEqual({ message: 'KYC_SESSION_RESUMED', session: created['session'] })
    expect(await harness.must('kycRecord', { email })).toMatchObject({
      status: 'PENDING',
      approved: false,
      sessionId: (created['session'] as Session).sessionId,
    })
  })

  it('is one, however many requests ask for it at once', async () => {
    const email = await harness.provedEmail()
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => harness.must('createKycSession', { input: { email } })),
    )
    expect(new Set(answers.map(({ session }) => (session as Session).sessionId)).size).toBe(1)
    expect(answers.filter(({ message }) => message === 'KYC_SESSION_CREATED')).toHaveLength(1)
  })

  it('is not begun again by a request that is repeated after the answer got lost', async () => {
    const email = await harness.provedEmail()
    await harness.fault('provider', { mode: 'drop-answer', times: 1 })
    const first = await harness.must('createKycSession', { input: { email } })
    const second = await harness.must('createKycSession', { input: { email } })
    expect(second['session']).toEqual(first['session'])
  })

  it('is told about as provider_unavailable where the provider fails, and counts nothing', async () => {
    const tenantId = 'outage'
    const email = await harness.provedEmail({ tenantId })
    await harness.fault('provider', { mode: 'error' })
    expect((await harness.send('createKycSession', { input: { email } }, { tenantId })).code).toBe(
      'PROVIDER_UNAVAILABLE',
    )
    expect((await harness.send('createKycSession', { input: { email } }, { tenantId })).code).toBe(
      'PROVIDER_UNAVAILABLE',
    )
    await harness.fault('provider', { mode: 'ok' })
    await harness.must('createKycSession', { input: { email } }, { tenantId })
    expect(await harness.query(`select count(*)::int as n from kyc.session where tenant_id = $1`, [tenantId])).toEqual([
      { n: 1 },
    ])
  })

  it('answers a repeated idempotency key as the first time', async () => {
    const email = await harness.provedEmail()
    const key = { idempotencyKey: 'session-1' }
    const first = await harness.send('createKycSession', { input: { email } }, key)
    await harness.decide((first.answer?.['session'] as Session).sessionId, { status: 'In Progress' })
    await recordWhen(harness, email, 'In Progress')
    expect(await harness.send('createKycSession', { input: { email } }, key)).toEqual({ ...first, replayed: true })
  })

  it('verifies businesses by their own workflow', async () => {
    const email = await harness.provedEmail()
    const person = await harness.must('createKycSession', { input: { email } })
    const company = await harness.must('createKycSession', { input: { email, subjectKind: 'COMPANY' } })
    expect(company['message']).toBe('KYC_SESSION_CREATED')
    expect((company['session'] as Session).sessionId).not.toBe((person['session'] as Session).sessionId)
  })
})

describe('a session that is under way when another kind of subject is asked for', () => {
  /** A person whose session is in review, and a company's beside it. */
  async function underWay() {
    const { email, sessionId } = await newSession(harness)
    await harness.decide(sessionId, { status: 'In Review' })
    await recordWhen(harness, email, 'In Review')
    const asked = { email, subjectKind: 'COMPANY' }
    const { message, session } = await harness.must('createKycSession', { input: asked })
    expect(message).toBe('KYC_SESSION_CREATED')
    const ask = (subjectKind: string) => harness.must('createKycSession', { input: { email, subjectKind } })
    return { email, sessionId, companyId: (session as Session).sessionId, ask }
  }

  it('is given again where its own kind is asked for, and takes no further slot of the quota', async () => {
    const { email, sessionId, companyId, ask } = await underWay()
    const slots = async () => (await harness.query('select 1 as one from kyc.session')).length
    const before = await slots()
    const again = await ask('PERSON')
    expect(again).toMatchObject({ message: 'KYC_SESSION_RESUMED', session: { sessionId, sessionStatus: 'In Review' } })
    expect(await harness.must('kycRecord', { email })).toMatchObject({ status: 'IN_REVIEW', sessionId })
    expect(await ask('COMPANY')).toMatchObject({ message: 'KYC_SESSION_RESUMED', session: { sessionId: companyId } })
    expect(await harness.must('kycRecord', { email })).toMatchObject({ status: 'PENDING', sessionId: companyId })
    expect(await slots()).toBe(before)
  })

  it('counts once it is approved, whichever was asked for last', async () => {
    const { email, sessionId, companyId, ask } = await underWay()
    await harness.decide(sessionId, { status: 'Approved' })
    expect(await recordWhen(harness, email, 'Approved')).toMatchObject({ approved: true, sessionId })
    expect(await harness.must('kycStanding', { email })).toEqual({ state: 'APPROVED' })
    expect(await ask('COMPANY')).toMatchObject({ message: 'KYC_ALREADY_APPROVED', session: { sessionId } })
    // What becomes of the other one takes nothing of that.
    await harness.decide(companyId, { status: 'Declined', callback: false })
    harness.clock.advance(60_000)
    expect(await harness.must('kycRecord', { email })).toMatchObject({ approved: true, sessionId })
  })

  it('is asked about at the provider before it is given again: one that was approved meanwhile is no longer needed', async () => {
    const { email, sessionId, ask } = await underWay()
    await harness.decide(sessionId, { status: 'Approved', callback: false })
    harness.clock.advance(60_000)
    expect(await ask('PERSON')).toMatchObject({ message: 'KYC_ALREADY_APPROVED', session: { sessionId } })
    expect(await harness.must('kycStanding', { email })).toEqual({ state: 'APPROVED' })
  })

  it('is over where it was refused: a new one of its kind is begun, and the other still counts when it is approved', async () => {
    const { email, sessionId, companyId, ask } = await underWay()
    await harness.decide(sessionId, { status: 'Declined', callback: false })
    harness.clock.advance(60_000)
    const anew = await ask('PERSON')
    expect(anew['message']).toBe('KYC_SESSION_CREATED')
    expect((anew['session'] as Session).sessionId).not.toBe(sessionId)
    await harness.decide(companyId, { status: 'Approved' })
    expect(await recordWhen(harness, email, 'Approved')).toMatchObject({ approved: true, sessionId: companyId })
  })
})

describe("the provider's statuses", () => {
  it.each([
    ['In Progress', 'PENDING', 'KYC_SESSION_RESUMED'],
    ['Awaiting User', 'PENDING', 'KYC_SESSION_RESUMED'],
    ['Resubmitted', 'PENDING', 'KYC_SESSION_RESUMED'],
    ['In Review', 'IN_REVIEW', 'KYC_SESSION_RESUMED'],
    ['Approved', 'APPROVED', 'KYC_ALREADY_APPROVED'],
    ['Declined', 'DECLINED', 'KYC_SESSION_CREATED'],
    ['Expired', 'EXPIRED', 'KYC_SESSION_CREATED'],
    ['Abandoned', 'ABANDONED', 'KYC_SESSION_CREATED'],
    ['Kyc Expired', 'EXPIRED', 'KYC_SESSION_CREATED'],
  ])('%s is %s, and asking for a session answers %s', async (theirs, ours, message) => {
    const { email, sessionId } = await newSession(harness)
    await harness.decide(sessionId, { status: theirs })
    const record = await recordWhen(harness, email, theirs)
    expect(record).toMatchObject({ status: ours, approved: ours === 'APPROVED', sessionId })
    const next = await harness.must('createKycSession', { input: { email } })
    expect(next['message']).toBe(message)
    expect((next['session'] as Session).sessionId === sessionId).toBe(message !== 'KYC_SESSION_CREATED')
  })

  it('that nobody knows changes nothing', async () => {
    const { email, sessionId } = await newSession(harness)
    await harness.query(`update kyc.session set checked_at = checked_at - interval '1 hour'`)
    await harness.fault('provider', { mode: 'error' })
    expect(await harness.must('kycRecord', { email })).toMatchObject({ sessionId, sessionStatus: 'Not Started' })
    await harness.fault('provider', { mode: 'ok' })
  })
})

describe('an approval', () => {
  it('lapses after its time, at once for who asks and as an event for who does not', async () => {
    const { email, sessionId } = await newSession(harness)
    await harness.decide(sessionId, { status: 'Approved' })
    const { id } = await recordWhen(harness, email, 'Approved')
    await harness.query(`update kyc.person set approved_until = $2::timestamptz where id = $1`, [
      id,
      harness.clock.now().toISOString(),
    ])
    expect(await harness.must('kycRecord', { email })).toMatchObject({ status: 'EXPIRED', approved: false })
    expect(await harness.must('kycStanding', { email })).toEqual({ state: 'NOT_APPROVED' })
    await harness.runPeriodic('lapse-kyc-approvals')
    await harness.runPeriodic('lapse-kyc-approvals')
    const events = await harness.query('select cause from kyc.person_event where person_id = $1 order by sequence', [
      id,
    ])
    expect(events.at(-1)).toEqual({ cause: 'approval_lapsed' })
    expect(events.filter(({ cause }) => cause === 'approval_lapsed')).toHaveLength(1)
    // The provider still says what it said before: that does not bring the approval back.
    harness.clock.advance(25 * 3_600_000)
    expect(await harness.must('kycRecord', { email })).toMatchObject({ status: 'EXPIRED' })
    expect(await harness.must('createKycSession', { input: { email } })).toMatchObject({
      message: 'KYC_SESSION_CREATED',
    })
  })

  it('lapses also where one that ended before it cannot be read', async () => {
    const ids: string[] = []
    for (const endedBeforeMs of [2_000, 1_000]) {
      const { email, sessionId } = await newSession(harness)
      await harness.decide(sessionId, { status: 'Approved' })
      const { id } = await recordWhen(harness, email, 'Approved')
      const until = new Date(harness.clock.now().getTime() - endedBeforeMs).toISOString()
      await harness.query('update kyc.person set approved_until = $2::timestamptz where id = $1', [id, until])
      ids.push(String(id))
    }
    await harness.query(`update kyc.session set url_sealed = 'no seal' where person_id = $1`, [ids[0]])
    await harness.runPeriodic('lapse-kyc-approvals')
    const people = await harness.query('select id, status from kyc.person where id = any($1) order by approved_until', [
      ids,
    ])
    expect(people.map(({ status }) => status)).toEqual(['approved', 'expired'])
  })
})
