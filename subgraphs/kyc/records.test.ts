import { describe, expect, it } from 'vitest'
import { until } from '../../test/harness/until.js'
import { startKycHarness } from '../../test/harness/kyc.js'
import { newSession, recordWhen, type Session } from '../../test/harness/kyc-sessions.js'

const harness = await startKycHarness()

/** Payments of one payer, as the gateway names them to kyc. */
function paymentsOf(email: string, count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    __typename: 'Payment',
    id: `c${index}`,
    payerEmail: email,
    payerWallet: null,
  }))
}

describe('what is told of a person', () => {
  it('has each connection once, without address, place or fingerprint', async () => {
    const { email, sessionId } = await newSession(harness)
    await harness.decide(sessionId, { status: 'Approved', vpn: true })
    const { ipInfo } = await recordWhen(harness, email, 'Approved')
    expect(ipInfo).toEqual([
      {
        country: 'Brazil',
        countryCode: 'BR',
        state: 'São Paulo',
        city: 'São Paulo',
        isp: 'Example Telecom',
        isVpnOrTor: true,
        isDataCenter: true,
        deviceBrand: 'Apple',
        deviceModel: 'iPhone',
        browserFamily: 'Mobile Safari',
        osFamily: 'iOS',
        platform: 'mobile',
      },
    ])
  })

  it('says whether a document is on a blocklist', async () => {
    const { email, sessionId } = await newSession(harness)
    await harness.decide(sessionId, { status: 'Declined', blocklisted: true })
    expect(await recordWhen(harness, email, 'Declined')).toMatchObject({ isBlocklisted: true, status: 'DECLINED' })
  })

  it('leaves nothing of the document, the person or the page readable in the database', async () => {
    const { email, sessionId, sessionUrl } = await newSession(harness)
    await harness.decide(sessionId, { status: 'Approved' })
    await recordWhen(harness, email, 'Approved')
    const tables = ['person', 'session', 'person_event', 'provider_event', 'access_log']
    const rows = await Promise.all(
      tables.map((table) => harness.query(`select to_jsonb(t) as row from kyc.${table} t`)),
    )
    const text = JSON.stringify(rows)
    for (const secret of [email, sessionUrl, 'Specimen', 'SPECIMEN-0042', '203.0.113.24', 'Example Telecom'])
      expect(text).not.toContain(secret)
    await until('the callbacks have no body any more', async () => {
      const open = await harness.query('select 1 from kyc.provider_event where body_sealed is not null')
      return open.length === 0
    })
  })

  it('is not told to another tenant', async () => {
    const { email, sessionId } = await newSession(harness)
    const other = { tenantId: 'stranger' }
    expect((await harness.send('kycRecord', { email }, other)).code).toBe('KYC_NOT_FOUND')
    expect(await harness.must('kycStanding', { email }, other)).toEqual({ state: 'NO_RECORD' })
    expect((await harness.send('createKycSession', { input: { email } }, other)).code).toBe('USER_NOT_PREPARED')
    const payment = { __typename: 'Payment', id: 'c1', payerEmail: email, payerWallet: null }
    const own = await harness.must('payments', { representations: [payment] })
    expect(own).toMatchObject([{ payerVerification: { sessionId } }])
    expect(await harness.must('payments', { representations: [payment] }, other)).toMatchObject([
      { payerVerification: null },
    ])
  })

  it('is written into the access log with the key that asked', async () => {
    const { email } = await newSession(harness)
    const { id } = await harness.must('kycRecord', { email })
    const log = await harness.query('select actor, operation from kyc.access_log where person_id = $1 order by id', [
      id,
    ])
    expect(log.map(({ operation }) => operation)).toEqual([
      'prepare-kyc',
      'send-email-otp',
      'verify-email-otp',
      'create-kyc-session',
      'find-kyc-record',
    ])
    expect(new Set(log.map(({ actor }) => actor))).toEqual(new Set(['key-of-test']))
  })

  it('is written once into the access log for a whole list of payments', async () => {
    const { email } = await newSession(harness)
    const { id } = await harness.must('kycRecord', { email })
    const answer = await harness.must('payments', { representations: paymentsOf(email, 20) })
    expect(answer).toMatchObject(Array.from({ length: 20 }, () => ({ payerVerification: { id } })))
    const sql = `select count(*)::int as count from kyc.access_log where person_id = $1 and operation = 'payer-verification'`
    expect(await harness.query(sql, [id])).toEqual([{ count: 1 }])
  })

  it('is refreshed at the provider for one payment, and served as stored in a list', async () => {
    const { email, sessionId } = await newSession(harness)
    await harness.decide(sessionId, { status: 'Approved', callback: false })
    harness.clock.advance(16_000)
    const statusesOf = async (count: number): Promise<unknown[]> => {
      const answer = await harness.must('payments', { representations: paymentsOf(email, count) })
      return Object.values(answer).map((payment) => (payment as Record<string, object>)['payerVerification'])
    }
    const pending = expect.objectContaining({ status: 'PENDING' }) as unknown
    expect(await statusesOf(2)).toEqual([pending, pending])
    expect(await statusesOf(1)).toEqual([expect.objectContaining({ status: 'APPROVED' })])
  })

  it('is null for the payments of a tenant without the product, not an error for each', async () => {
    const { email } = await newSession(harness)
    const outcome = await harness.send('payments', { representations: paymentsOf(email, 3) }, { products: ['crypto'] })
    expect(outcome.code).toBeUndefined()
    expect(outcome.answer).toMatchObject(Array.from({ length: 3 }, () => ({ payerVerification: null })))
  })

  it('is appended as an event for every change, and shown as it was then', async () => {
    const { email, sessionId } = await newSession(harness)
    await harness.decide(sessionId, { status: 'In Review' })
    await recordWhen(harness, email, 'In Review')
    await harness.decide(sessionId, { status: 'Approved' })
    const { id } = await recordWhen(harness, email, 'Approved')
    const statuses = await Promise.all(
      [1, 2, 3, 4].map(async (sequence) => {
        const { answer } = await harness.send('kycRecordAt', { id, sequence })
        return answer?.['sessionStatus']
      }),
    )
    expect(statuses).toEqual(['Not Started', 'In Review', 'Approved', undefined])
    const jobs = await harness.query(
      `select payload->>'sequence' as sequence from graphile_worker._private_jobs j join graphile_worker._private_tasks t
        on t.id = j.task_id where t.identifier = 'publish-event' and payload->>'resourceId' = $1`,
      [id],
    )
    expect(jobs.map(({ sequence }) => sequence).sort()).toEqual(['1', '2', '3'])
  })
})

describe('the standing of a payer', () => {
  it('is that of a session, or none', async () => {
    const email = await harness.provedEmail()
    const standing = async () => (await harness.must('kycStanding', { email }))['state']
    expect(await standing()).toBe('NO_RECORD')
    const { session } = await harness.must('createKycSession', { input: { email } })
    expect(await standing()).toBe('NOT_APPROVED')
    await harness.decide((session as Session).sessionId, { status: 'Approved', callback: false })
    expect(await standing()).toBe('NOT_APPROVED')
    harness.clock.advance(16_000)
    expect(await standing()).toBe('APPROVED')
    expect(await harness.must('kycStanding', {})).toEqual({ state: 'NO_RECORD' })
    expect(await harness.must('kycStanding', { email: 'not an address' })).toEqual({ state: 'NO_RECORD' })
  })
})
