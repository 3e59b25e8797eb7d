import { describe, expect, it } from 'vitest'
import { startKycHarness } from '../../test/harness/kyc.js'
import { challengeOf, evmOwner, prove, solanaOwner } from '../../test/harness/kyc-wallets.js'

const harness = await startKycHarness()
/** What a signed challenge is refused for; undefined where it is right. */
const refusalOf = async (input: object, send = {}) => (await harness.send('prepareWalletKyc', { input }, send)).code

describe.each([
  ['EVM', evmOwner],
  ['SOLANA', solanaOwner],
])('a wallet of %s', (chain, newOwner) => {
  it('is challenged under its canonical address, and prepared by its signature', async () => {
    const owner = newOwner()
    const wallet = chain === 'EVM' ? owner.wallet.toLowerCase() : owner.wallet
    const challenge = await harness.must('createWalletChallenge', { input: { wallet, purpose: 'kyc' } })
    expect(challenge).toMatchObject({ wallet: owner.wallet, walletChain: chain })
    expect(new Date(String(challenge['expiresAt'])).getTime() - harness.clock.now().getTime()).toBeGreaterThan(599_000)
    const message = String(challenge['message'])
    const signedBytes = await owner.sign(message)
    const prepared = { emailVerified: false, walletVerified: true, kycApproved: false, kycStatus: 'PENDING' }
    expect(await harness.must('prepareWalletKyc', { input: { message, signedBytes, wallet } })).toEqual({
      created: true,
      ...prepared,
    })
    expect((await prove(harness, owner)).answer).toEqual({ created: false, ...prepared })
  })

  it('proves itself by a challenge once', async () => {
    const input = await challengeOf(harness, newOwner())
    await harness.must('prepareWalletKyc', { input })
    expect(await refusalOf(input)).toBe('CHALLENGE_INVALID')
  })

  it('proves itself once also where twenty requests race', async () => {
    const input = await challengeOf(harness, newOwner())
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => harness.send('prepareWalletKyc', { input })))
    expect(outcomes.filter(({ code }) => code === undefined)).toHaveLength(1)
    expect(outcomes.filter(({ code }) => code === 'CHALLENGE_INVALID')).toHaveLength(19)
  })

  it('is not proved by a wrong signature, which leaves the challenge open', async () => {
    const owner = newOwner()
    const { message, signedBytes } = await challengeOf(harness, owner)
    const forged = await newOwner().sign(message)
    expect(await refusalOf({ message, signedBytes: forged })).toBe('SIGNATURE_INVALID')
    await harness.must('prepareWalletKyc', { input: { message, signedBytes } })
  })

  it('is not proved by another message than the one given out', async () => {
    const owner = newOwner()
    const { message } = await challengeOf(harness, owner)
    const altered = [
      `${message}\nResources:`,
      message.replace(/Expiration Time: .*/, ''),
      message.replace('pay.example.com', 'evil.example.com'),
      message.replace(/Nonce: \w+/, 'Nonce: 0123456789abcdef'),
      'hello',
    ]
    for (const text of altered) {
      const input = { message: text, signedBytes: await owner.sign(text) }
      expect(await refusalOf(input)).toBe('CHALLENGE_INVALID')
    }
  })

  it('is not proved by a challenge that is late, of another wallet or of another tenant', async () => {
    const owner = newOwner()
    const input = await challengeOf(harness, owner)
    const other = { ...input, wallet: newOwner().wallet }
    expect(await refusalOf(other)).toBe('CHALLENGE_INVALID')
    expect(await refusalOf(input, { tenantId: 'other' })).toBe('CHALLENGE_INVALID')
    harness.clock.advance(600_000)
    expect(await refusalOf(input)).toBe('CHALLENGE_EXPIRED')
  })
})

describe('a challenge', () => {
  it('is given to wallets only', async () => {
    for (const wallet of ['', '0x12', 'ana@example.com', '11111111111111111111111111111111'])
      expect((await harness.send('createWalletChallenge', { input: { wallet } })).code).toBe('INVALID_WALLET')
    const input = { wallet: evmOwner().wallet, purpose: 'two\nlines' }
    expect((await harness.send('createWalletChallenge', { input })).code).toBe('VALIDATION_ERROR')
  })

  it('says in a sentence what it is for, and whose words a caller gave as its purpose', async () => {
    const statementOf = async (purpose: string | null) => {
      const { message } = await harness.must('createWalletChallenge', { input: { wallet: evmOwner().wallet, purpose } })
      return String(message).split('\n')[3]
    }
    const ours = 'Prove that this wallet is yours to verify your identity.'
    expect([await statementOf(null), await statementOf('kyc')]).toEqual([ours, ours])
    const theirs = 'Your wallet is safe. Sign to receive 100 USDT.'
    expect(await statementOf(theirs)).toBe(
      `Prove that this wallet is yours. The service that asks you to gives as its reason: ${theirs}`,
    )
  })

  it('is the same one for a repeated idempotency key, and its answer is kept unreadable', async () => {
    const input = { wallet: evmOwner().wallet }
    const first = await harness.send('createWalletChallenge', { input }, { idempotencyKey: 'challenge-1' })
    const again = await harness.send('createWalletChallenge', { input }, { idempotencyKey: 'challenge-1' })
    expect(again).toEqual({ ...first, replayed: true })
    const rows = JSON.stringify(await harness.query('select * from kernel.idempotency_key'))
    expect(rows).not.toContain(input.wallet)
  })

  it('answers the same to a repeated idempotency key after it was used', async () => {
    const input = await challengeOf(harness, evmOwner())
    const send = () => harness.send('prepareWalletKyc', { input }, { idempotencyKey: 'wallet-1' })
    const first = await send()
    expect(await send()).toEqual({ ...first, replayed: true })
  })
})
