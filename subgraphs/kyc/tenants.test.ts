import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { kycCli } from './cli/kyc-cli.js'
import { runCli } from '../../test/harness/run-cli.js'
import { startKycHarness } from '../../test/harness/kyc.js'
import { payerVerification, type Session } from '../../test/harness/kyc-sessions.js'
import { challengeOf, evmOwner, prove, solanaOwner } from '../../test/harness/kyc-wallets.js'

const MASTER_KEY = randomBytes(32)
const [ONE, TWO] = [{ tenantId: 'one' }, { tenantId: 'two' }]

const harness = await startKycHarness({ masterKeys: [MASTER_KEY] })

type Named = { email: string } | { wallet: string }

/** Has an address proved at a tenant; gives the code that did it. */
async function proveEmail(email: string, tenant: { tenantId: string }): Promise<string> {
  await harness.must('prepareKyc', { input: { email } }, tenant)
  await harness.must('sendEmailOtp', { input: { email } }, tenant)
  const code = (await harness.codes(email)).at(-1) ?? ''
  await harness.must('verifyEmailOtp', { input: { email, code } }, tenant)
  return code
}

async function sessionOf(named: Named, tenant: { tenantId: string }): Promise<Session> {
  const { session } = await harness.must('createKycSession', { input: named }, tenant)
  return session as Session
}

const cli = (command: string, named: Named, { tenantId }: { tenantId: string }) => {
  const flags = 'email' in named ? ['--email', named.email] : ['--wallet', named.wallet]
  const environment = { DATABASE_URL: harness.databaseUrl, MASTER_KEY: MASTER_KEY.toString('hex') }
  return runCli(kycCli, [command, '--tenant', tenantId, ...flags], environment)
}

/** An address, or a wallet, that is proved at both tenants. */
const PROVED_AT_BOTH: readonly [string, () => Promise<Named>][] = [
  [
    'e-mail address',
    async () => {
      const email = harness.newEmail()
      for (const tenant of [ONE, TWO]) await proveEmail(email, tenant)
      return { email }
    },
  ],
  [
    'wallet',
    async () => {
      const owner = evmOwner()
      for (const tenant of [ONE, TWO])
        expect((await prove(harness, owner, {}, tenant)).answer).toMatchObject({ created: true })
      return { wallet: owner.wallet }
    },
  ],
]

describe.each(PROVED_AT_BOTH)('one %s at two tenants', (_kind, provedAtBoth) => {
  it('is two people: session, approval, record, standing and payments of one are not those of the other', async () => {
    const named = await provedAtBoth()
    const session = await sessionOf(named, ONE)
    expect(await harness.must('kycRecord', named, TWO)).toMatchObject({ sessionId: null, sessionUrl: null })
    expect(await harness.must('kycStanding', named, TWO)).toEqual({ state: 'NO_RECORD' })
    const other = await sessionOf(named, TWO)
    expect(other.sessionId).not.toBe(session.sessionId)
    await harness.decide(session.sessionId, { status: 'Approved', callback: false })
    harness.clock.advance(16_000)
    const records = [await harness.must('kycRecord', named, ONE), await harness.must('kycRecord', named, TWO)]
    expect(records).toMatchObject([
      { approved: true, sessionId: session.sessionId },
      { approved: false, sessionId: other.sessionId, ipInfo: [] },
    ])
    expect(records[0]?.['id']).not.toBe(records[1]?.['id'])
    expect(await harness.must('kycStanding', named, ONE)).toEqual({ state: 'APPROVED' })
    expect(await harness.must('kycStanding', named, TWO)).toEqual({ state: 'NOT_APPROVED' })
    expect(await payerVerification(harness, named, ONE)).toMatchObject({ approved: true, sessionId: session.sessionId })
    expect(await payerVerification(harness, named, TWO)).toMatchObject({ approved: false, sessionId: other.sessionId })
    const event = { id: records[0]?.['id'], sequence: 2 }
    expect(await harness.must('kycRecordAt', event, ONE)).toMatchObject({ approved: true })
    expect((await harness.send('kycRecordAt', event, TWO)).answer).toBeNull()
    expect(await harness.must('createKycSession', { input: named }, ONE)).toMatchObject({
      message: 'KYC_ALREADY_APPROVED',
    })
    expect(await harness.must('createKycSession', { input: named }, TWO)).toMatchObject({
      message: 'KYC_SESSION_RESUMED',
    })
  })

  it('is erased, and its accesses are told, at the tenant that is named', async () => {
    const named = await provedAtBoth()
    await sessionOf(named, ONE)
    const { sessionId } = await sessionOf(named, TWO)
    const people = await Promise.all(
      [ONE, TWO].map(async (tenant) => JSON.parse((await cli('access', named, tenant)).out) as { person: string }),
    )
    expect(people[0]?.person).not.toBe(people[1]?.person)
    expect((await cli('erase', named, { tenantId: 'three' })).exitCode).toBe(1)
    expect((await cli('erase', named, ONE)).exitCode).toBe(0)
    expect((await harness.send('kycRecord', named, ONE)).code).toBe('KYC_NOT_FOUND')
    expect(await payerVerification(harness, named, ONE)).toBeNull()
    expect(await harness.must('kycRecord', named, TWO)).toMatchObject({ id: people[1]?.person, sessionId })
  })

  it('is nobody at a third one', async () => {
    const named = await provedAtBoth()
    const three = { tenantId: 'three' }
    await sessionOf(named, ONE)
    expect((await harness.send('kycRecord', named, three)).code).toBe('KYC_NOT_FOUND')
    expect((await harness.send('createKycSession', { input: named }, three)).code).toBe('USER_NOT_PREPARED')
    expect(await harness.must('kycStanding', named, three)).toEqual({ state: 'NO_RECORD' })
    expect(await payerVerification(harness, named, three)).toBeNull()
    expect((await cli('access', named, three)).exitCode).toBe(1)
  })
})

describe('the proofs of two tenants', () => {
  it('of an address are their own: its codes, tries and limits', async () => {
    const email = harness.newEmail()
    for (const tenant of [ONE, TWO])
      expect(await harness.must('prepareKyc', { input: { email } }, tenant)).toMatchObject({ created: true })
    for (let count = 0; count < 5; count += 1) await harness.must('sendEmailOtp', { input: { email } }, ONE)
    expect((await harness.send('sendEmailOtp', { input: { email } }, ONE)).code).toBe('OTP_RATE_LIMITED')
    const code = (await harness.codes(email)).at(-1) ?? ''
    // Nothing is outstanding at the other tenant, whatever was sent by the one.
    expect((await harness.send('verifyEmailOtp', { input: { email, code } }, TWO)).code).toBe('OTP_INVALID')
    await harness.must('sendEmailOtp', { input: { email } }, TWO)
    const others = (await harness.codes(email)).at(-1) ?? ''
    const wrong = String((Number(others) + 1) % 1_000_000).padStart(6, '0')
    for (let count = 0; count < 5; count += 1)
      await harness.send('verifyEmailOtp', { input: { email, code: wrong } }, TWO)
    expect((await harness.send('verifyEmailOtp', { input: { email, code: others } }, TWO)).code).toBe(
      'OTP_MAX_ATTEMPTS',
    )
    await harness.must('verifyEmailOtp', { input: { email, code } }, ONE)
    expect((await harness.send('createKycSession', { input: { email } }, TWO)).code).toBe('IDENTITY_NOT_VERIFIED')
    expect(await harness.must('prepareKyc', { input: { email } }, TWO)).toMatchObject({ emailVerified: false })
  })

  it('of a wallet are their own: a challenge of one proves nothing to the other, and is not used up there', async () => {
    const owner = solanaOwner()
    const input = await challengeOf(harness, owner, ONE)
    expect((await harness.send('prepareWalletKyc', { input }, TWO)).code).toBe('CHALLENGE_INVALID')
    expect((await harness.send('kycRecord', { wallet: owner.wallet }, TWO)).code).toBe('KYC_NOT_FOUND')
    await harness.must('prepareWalletKyc', { input }, ONE)
    expect((await harness.send('createKycSession', { input: { wallet: owner.wallet } }, TWO)).code).toBe(
      'USER_NOT_PREPARED',
    )
  })

  it('link the same address to different wallets, and say of their own link alone whether it is proved', async () => {
    const [first, second, email] = [evmOwner(), evmOwner(), harness.newEmail()]
    expect((await prove(harness, first, { email }, ONE)).code).toBeUndefined()
    expect((await prove(harness, second, { email }, TWO)).code).toBeUndefined()
    expect((await prove(harness, second, { email }, ONE)).code).toBe('EMAIL_ALREADY_LINKED')
    await proveEmail(email, TWO)
    expect((await prove(harness, first, {}, ONE)).answer).toMatchObject({ emailVerified: false })
    expect((await prove(harness, second, {}, TWO)).answer).toMatchObject({ emailVerified: true })
    expect((await cli('erase', { email }, TWO)).exitCode).toBe(0)
    expect((await prove(harness, second, { email }, ONE)).code).toBe('EMAIL_ALREADY_LINKED')
  })

  it('under the same idempotency key are two requests', async () => {
    const [email, idempotencyKey] = [harness.newEmail(), 'the-same']
    for (const tenant of [ONE, TWO]) {
      const outcome = await harness.send('prepareKyc', { input: { email } }, { ...tenant, idempotencyKey })
      expect(outcome).toMatchObject({ replayed: false, answer: { created: true } })
    }
  })
})
