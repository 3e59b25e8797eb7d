import { describe, expect, it } from 'vitest'
import { startKycHarness } from '../../test/harness/kyc.js'

const QUOTA = 5

const harness = await startKycHarness({ monthlyQuota: QUOTA })

async function provedEmails(count: number, tenantId: string): Promise<string[]> {
  const emails: string[] = []
  for (let index = 0; index < count; index += 1) emails.push(await harness.provedEmail({ tenantId }))
  return emails
}

const create = (email: string, tenantId: string) => harness.send('createKycSession', { input: { email } }, { tenantId })

describe('the quota of sessions', () => {
  it('is exact where three times as many people race for it', async () => {
    const emails = await provedEmails(QUOTA * 3, 'racing')
    const outcomes = await Promise.all(emails.flatMap((email) => [create(email, 'racing'), create(email, 'racing')]))
    const created = outcomes.filter(({ answer }) => answer?.['message'] === 'KYC_SESSION_CREATED')
    expect(created).toHaveLength(QUOTA)
    expect(new Set(outcomes.map(({ code }) => code))).toEqual(new Set([undefined, 'VERIFY_QUOTA_EXCEEDED']))
    expect(await harness.query(`select count(*)::int as n from kyc.session where tenant_id = 'racing'`)).toEqual([
      { n: QUOTA },
    ])
  })

  it('counts the last 30 days of one tenant, and resuming costs nothing', async () => {
    const tenantId = 'rolling'
    const emails = await provedEmails(QUOTA + 1, tenantId)
    const [first = '', last = ''] = [emails[0], emails.at(-1)]
    for (const email of emails.slice(0, QUOTA)) expect((await create(email, tenantId)).code).toBeUndefined()
    expect((await create(last, tenantId)).code).toBe('VERIFY_QUOTA_EXCEEDED')
    expect((await create(first, tenantId)).answer?.['message']).toBe('KYC_SESSION_RESUMED')
    const newcomer = { input: { email: harness.newEmail() } }
    expect((await harness.send('prepareKyc', newcomer, { tenantId })).code).toBe('VERIFY_QUOTA_EXCEEDED')
    expect((await harness.send('prepareKyc', { input: { email: first } }, { tenantId })).code).toBeUndefined()
    expect((await harness.send('prepareKyc', newcomer, { tenantId: 'another' })).code).toBeUndefined()
    harness.clock.advance(30 * 86_400_000)
    expect((await create(last, tenantId)).code).toBeUndefined()
  })

  it('is one of each integration: what one has used up another still has', async () => {
    const tenantId = 'two-shops'
    const emails = await provedEmails(QUOTA + 2, tenantId)
    const [first = '', last = '', next = ''] = [emails[0], emails.at(-1), emails.at(-2)]
    for (const email of emails.slice(0, QUOTA)) expect((await create(email, tenantId)).code).toBeUndefined()
    expect((await create(last, tenantId)).code).toBe('VERIFY_QUOTA_EXCEEDED')
    const ofSecond = { tenantId, publicClientId: 'pk_second' }
    const newcomer = { input: { email: harness.newEmail() } }
    expect((await harness.send('prepareKyc', newcomer, { tenantId })).code).toBe('VERIFY_QUOTA_EXCEEDED')
    expect((await harness.send('prepareKyc', newcomer, ofSecond)).code).toBeUndefined()
    const created = await harness.send('createKycSession', { input: { email: last } }, ofSecond)
    expect(created.answer?.['message']).toBe('KYC_SESSION_CREATED')
    // A person is the tenant's: who has a session is given it again by whichever key, and it counts once.
    expect((await harness.send('createKycSession', { input: { email: first } }, ofSecond)).answer?.['message']).toBe(
      'KYC_SESSION_RESUMED',
    )
    expect((await create(next, tenantId)).code).toBe('VERIFY_QUOTA_EXCEEDED')
    const count = `select public_client_id as client, count(*)::int as n from kyc.session where tenant_id = '${tenantId}' group by 1 order by 1`
    expect(await harness.query(count)).toEqual([
      { client: 'pk_second', n: 1 },
      { client: null, n: QUOTA },
    ])
  })

  it('is one of all payment pages too: neither they nor the tenant use up what the other has', async () => {
    const tenantId = 'with-pages'
    const emails = await provedEmails(QUOTA * 2 + 2, tenantId)
    const onPage = (email: string, page: string) =>
      harness.send('createKycSession', { input: { email } }, { tenantId, pageOf: page })
    for (const [at, email] of emails.slice(0, QUOTA).entries())
      expect((await onPage(email, `page-${at}`)).code).toBeUndefined()
    const [last = '', next = ''] = [emails.at(-1), emails.at(-2)]
    expect((await onPage(last, 'another-page')).code).toBe('VERIFY_QUOTA_EXCEEDED')
    for (const email of emails.slice(QUOTA, 2 * QUOTA)) expect((await create(email, tenantId)).code).toBeUndefined()
    expect((await create(next, tenantId)).code).toBe('VERIFY_QUOTA_EXCEEDED')
    harness.clock.advance(30 * 86_400_000)
    expect((await onPage(last, 'another-page')).code).toBeUndefined()
    expect((await create(next, tenantId)).code).toBeUndefined()
  })
})
