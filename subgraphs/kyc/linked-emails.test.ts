import { describe, expect, it } from 'vitest'
import { startKycHarness } from '../../test/harness/kyc.js'
import { payerVerification, type Session } from '../../test/harness/kyc-sessions.js'
import { evmOwner, prove, solanaOwner } from '../../test/harness/kyc-wallets.js'

const harness = await startKycHarness()

async function proveEmail(email: string): Promise<void> {
  await harness.must('sendEmailOtp', { input: { email } })
  const [code] = await harness.codes(email)
  await harness.must('verifyEmailOtp', { input: { email, code } })
}

/** Has a proved person verified; gives the session that led to it. */
async function approve(named: { email: string } | { wallet: string }): Promise<Session> {
  const { session } = await harness.must('createKycSession', { input: named })
  await harness.decide((session as Session).sessionId, { status: 'Approved', callback: false })
  harness.clock.advance(60_000)
  expect(await harness.must('kycRecord', named)).toMatchObject({ approved: true })
  return session as Session
}

/** That a wallet has nothing of the approval, the session or the connections of another person. */
async function expectNothingOf(wallet: string, { sessionId, sessionUrl }: Session): Promise<void> {
  const record = await harness.must('kycRecord', { wallet })
  expect(record).toMatchObject({ status: 'PENDING', approved: false, sessionId: null, sessionUrl: null, ipInfo: [] })
  expect(await harness.must('kycStanding', { wallet })).toEqual({ state: 'NO_RECORD' })
  expect(await payerVerification(harness, { wallet })).toMatchObject({ approved: false, sessionUrl: null })
  const own = await harness.must('createKycSession', { input: { wallet } })
  expect(own['message']).toBe('KYC_SESSION_CREATED')
  expect((own['session'] as Session).sessionId).not.toBe(sessionId)
  expect((own['session'] as Session).sessionUrl).not.toBe(sessionUrl)
  expect(await harness.must('kycStanding', { wallet })).toEqual({ state: 'NOT_APPROVED' })
}

describe("a stranger's wallet", () => {
  it('gets nothing of the approval of an address that it names', async () => {
    const [stranger, victim] = [evmOwner(), await harness.provedEmail()]
    const session = await approve({ email: victim })
    expect((await prove(harness, stranger, { email: victim })).answer).toEqual({
      created: true,
      emailVerified: false,
      walletVerified: true,
      kycApproved: false,
      kycStatus: 'PENDING',
    })
    await expectNothingOf(stranger.wallet, session)
    expect(await harness.must('kycRecord', { email: victim })).toMatchObject({ approved: true })
    expect(await harness.must('kycStanding', { email: victim })).toEqual({ state: 'APPROVED' })
  })

  it('gets nothing of it either where it has named the address before its owner came', async () => {
    const [stranger, victim] = [solanaOwner(), harness.newEmail()]
    await prove(harness, stranger, { email: victim })
    expect(await harness.must('prepareKyc', { input: { email: victim } })).toMatchObject({
      created: false,
      emailVerified: false,
      walletVerified: false,
    })
    await proveEmail(victim)
    const session = await approve({ email: victim })
    expect((await prove(harness, stranger)).answer).toMatchObject({ kycApproved: false, kycStatus: 'PENDING' })
    expect((await prove(harness, stranger, { email: victim })).answer).toMatchObject({ kycApproved: false })
    await expectNothingOf(stranger.wallet, session)
  })

  it('gets nothing of it from a provider that knows the owner of the address and has not decided yet', async () => {
    const [stranger, victim] = [evmOwner(), await harness.provedEmail()]
    const { session } = await harness.must('createKycSession', { input: { email: victim } })
    await prove(harness, stranger, { email: victim })
    await expectNothingOf(stranger.wallet, session as Session)
    await harness.decide((session as Session).sessionId, { status: 'Approved', callback: false })
    harness.clock.advance(60_000)
    expect(await harness.must('kycStanding', { email: victim })).toEqual({ state: 'APPROVED' })
    expect(await harness.must('kycStanding', { wallet: stranger.wallet })).toEqual({ state: 'NOT_APPROVED' })
  })
})

describe('an e-mail address sent along with a wallet', () => {
  it('is linked, and stays unproved until its own code', async () => {
    const [owner, email] = [evmOwner(), harness.newEmail()]
    expect((await prove(harness, owner, { email })).answer).toMatchObject({ created: true, emailVerified: false })
    expect((await harness.send('createKycSession', { input: { email } })).code).toBe('IDENTITY_NOT_VERIFIED')
    await proveEmail(email)
    expect((await prove(harness, owner)).answer).toMatchObject({
      created: false,
      emailVerified: true,
      walletVerified: true,
    })
    expect((await prove(harness, owner, { email })).answer).toMatchObject({ emailVerified: true })
  })

  it('never lends an unproved address the approval of the wallet', async () => {
    const [owner, email] = [solanaOwner(), harness.newEmail()]
    await prove(harness, owner, { email })
    await approve({ wallet: owner.wallet })
    expect(await harness.must('kycRecord', { email })).toMatchObject({ status: 'PENDING', approved: false })
    expect(await harness.must('kycStanding', { email })).toEqual({ state: 'NO_RECORD' })
    expect(await harness.must('kycStanding', { email, wallet: owner.wallet })).toEqual({ state: 'APPROVED' })
    await proveEmail(email)
    expect(await harness.must('kycRecord', { email })).toMatchObject({ approved: false, sessionUrl: null })
    expect(await harness.must('kycStanding', { email })).toEqual({ state: 'NO_RECORD' })
  })

  it('and the wallet stay two people, no matter which is approved', async () => {
    const [owner, email] = [evmOwner(), await harness.provedEmail()]
    await prove(harness, owner)
    const byEmail = await approve({ email })
    expect((await prove(harness, owner, { email })).answer).toMatchObject({ created: false, kycApproved: false })
    const byWallet = await approve({ wallet: owner.wallet })
    expect(byWallet.sessionId).not.toBe(byEmail.sessionId)
    const records = [
      await harness.must('kycRecord', { email }),
      await harness.must('kycRecord', { wallet: owner.wallet }),
    ]
    expect(records).toMatchObject([{ sessionId: byEmail.sessionId }, { sessionId: byWallet.sessionId }])
    expect(records[0]?.['id']).not.toBe(records[1]?.['id'])
    // Proved before it was linked: it may be anybody's.
    expect((await prove(harness, owner, { email })).answer).toMatchObject({ emailVerified: false, kycApproved: true })
  })

  it('belongs to one wallet, and a wallet to one address', async () => {
    const [owner, email] = [evmOwner(), harness.newEmail()]
    await prove(harness, owner, { email })
    expect((await prove(harness, solanaOwner(), { email })).code).toBe('EMAIL_ALREADY_LINKED')
    expect((await prove(harness, owner, { email: harness.newEmail() })).code).toBe('EMAIL_ALREADY_LINKED')
    expect((await prove(harness, owner, { email: email.toUpperCase() })).code).toBeUndefined()
  })

  it('belongs to one wallet also where ten name it at once', async () => {
    const email = harness.newEmail()
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => prove(harness, evmOwner(), { email })))
    expect(outcomes.filter(({ code }) => code === undefined)).toHaveLength(1)
    expect(outcomes.filter(({ code }) => code === 'EMAIL_ALREADY_LINKED')).toHaveLength(9)
  })
})
