import { Keypair } from '@solana/web3.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openKycWorld, type KycWorld, type Outcome } from './fixtures/kyc-world.js'

let world: KycWorld
beforeAll(async () => {
  world = await openKycWorld()
})
afterAll(() => world.close())

/** A wallet of either family, as its owner has it. */
interface Owner {
  wallet: string
  sign: (message: string) => Promise<string>
}

function evmOwner(): Owner {
  const account = privateKeyToAccount(generatePrivateKey())
  return { wallet: account.address, sign: (message) => account.signMessage({ message }) }
}

function solanaOwner(): Owner {
  const keypair = Keypair.generate()
  const sign = (message: string): string =>
    bs58.encode(ed25519.sign(Buffer.from(message), keypair.secretKey.subarray(0, 32)))
  return { wallet: keypair.publicKey.toBase58(), sign: (message) => Promise.resolve(sign(message)) }
}

async function challengeOf(owner: Owner): Promise<{ message: string; signedBytes: string }> {
  const { message } = await world.must('createWalletChallenge', { input: { wallet: owner.wallet } })
  return { message: String(message), signedBytes: await owner.sign(String(message)) }
}

async function prove(owner: Owner, more: { email?: string } = {}): Promise<Outcome> {
  return world.send('prepareWalletKyc', { input: { ...(await challengeOf(owner)), ...more } })
}

describe.each([
  ['EVM', evmOwner],
  ['SOLANA', solanaOwner],
])('a wallet of %s', (chain, newOwner) => {
  it('is challenged under its canonical address, and prepared by its signature', async () => {
    const owner = newOwner()
    const wallet = chain === 'EVM' ? owner.wallet.toLowerCase() : owner.wallet
    const challenge = await world.must('createWalletChallenge', { input: { wallet, purpose: 'kyc' } })
    expect(challenge).toMatchObject({ wallet: owner.wallet, walletChain: chain })
    expect(new Date(String(challenge['expiresAt'])).getTime() - world.clock.now().getTime()).toBeGreaterThan(599_000)
    const message = String(challenge['message'])
    const signedBytes = await owner.sign(message)
    const prepared = { emailVerified: false, walletVerified: true, kycApproved: false, kycStatus: 'PENDING' }
    expect(await world.must('prepareWalletKyc', { input: { message, signedBytes, wallet } })).toEqual({
      created: true,
      ...prepared,
    })
    expect((await prove(owner)).answer).toEqual({ created: false, ...prepared })
  })

  it('proves itself by a challenge once', async () => {
    const input = await challengeOf(newOwner())
    await world.must('prepareWalletKyc', { input })
    expect((await world.send('prepareWalletKyc', { input })).code).toBe('CHALLENGE_INVALID')
  })

  it('proves itself once also where twenty requests race', async () => {
    const input = await challengeOf(newOwner())
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => world.send('prepareWalletKyc', { input })))
    expect(outcomes.filter(({ code }) => code === undefined)).toHaveLength(1)
    expect(outcomes.filter(({ code }) => code === 'CHALLENGE_INVALID')).toHaveLength(19)
  })

  it('is not proved by a wrong signature, which leaves the challenge open', async () => {
    const owner = newOwner()
    const { message, signedBytes } = await challengeOf(owner)
    const forged = await newOwner().sign(message)
    expect((await world.send('prepareWalletKyc', { input: { message, signedBytes: forged } })).code).toBe(
      'SIGNATURE_INVALID',
    )
    await world.must('prepareWalletKyc', { input: { message, signedBytes } })
  })

  it('is not proved by another message than the one given out', async () => {
    const owner = newOwner()
    const { message } = await challengeOf(owner)
    const altered = [
      `${message}\nResources:`,
      message.replace(/Expiration Time: .*/, ''),
      message.replace('pay.example.com', 'evil.example.com'),
      message.replace(/Nonce: \w+/, 'Nonce: 0123456789abcdef'),
      'hello',
    ]
    for (const text of altered) {
      const input = { message: text, signedBytes: await owner.sign(text) }
      expect((await world.send('prepareWalletKyc', { input })).code).toBe('CHALLENGE_INVALID')
    }
  })

  it('is not proved by a challenge that is late, of another wallet or of another tenant', async () => {
    const owner = newOwner()
    const input = await challengeOf(owner)
    const other = { ...input, wallet: newOwner().wallet }
    expect((await world.send('prepareWalletKyc', { input: other })).code).toBe('CHALLENGE_INVALID')
    expect((await world.send('prepareWalletKyc', { input }, { tenantId: 'other' })).code).toBe('CHALLENGE_INVALID')
    world.clock.advance(600_000)
    expect((await world.send('prepareWalletKyc', { input })).code).toBe('CHALLENGE_EXPIRED')
  })
})

describe('a challenge', () => {
  it('is given to wallets only', async () => {
    for (const wallet of ['', '0x12', 'ana@example.com', '11111111111111111111111111111111'])
      expect((await world.send('createWalletChallenge', { input: { wallet } })).code).toBe('INVALID_WALLET')
    const input = { wallet: evmOwner().wallet, purpose: 'two\nlines' }
    expect((await world.send('createWalletChallenge', { input })).code).toBe('VALIDATION_ERROR')
  })

  it('is the same one for a repeated idempotency key, and its answer is kept unreadable', async () => {
    const input = { wallet: evmOwner().wallet }
    const first = await world.send('createWalletChallenge', { input }, { idempotencyKey: 'challenge-1' })
    const again = await world.send('createWalletChallenge', { input }, { idempotencyKey: 'challenge-1' })
    expect(again).toEqual({ ...first, replayed: true })
    const rows = JSON.stringify(await world.query('select * from kernel.idempotency_key'))
    expect(rows).not.toContain(input.wallet)
  })

  it('answers the same to a repeated idempotency key after it was used', async () => {
    const input = await challengeOf(evmOwner())
    const first = await world.send('prepareWalletKyc', { input }, { idempotencyKey: 'wallet-1' })
    expect(await world.send('prepareWalletKyc', { input }, { idempotencyKey: 'wallet-1' })).toEqual({
      ...first,
      replayed: true,
    })
  })
})

describe('an e-mail address sent along with a wallet', () => {
  it('is linked, and stays unproved until its own code', async () => {
    const [owner, email] = [evmOwner(), world.newEmail()]
    expect((await prove(owner, { email })).answer).toMatchObject({ created: true, emailVerified: false })
    expect((await world.send('createKycSession', { input: { email } })).code).toBe('IDENTITY_NOT_VERIFIED')
    await world.must('sendEmailOtp', { input: { email } })
    const [code] = await world.codes(email)
    await world.must('verifyEmailOtp', { input: { email, code } })
    expect((await prove(owner)).answer).toMatchObject({ created: false, emailVerified: true, walletVerified: true })
  })

  it('never lends an unproved address the approval of the wallet', async () => {
    const [owner, email] = [solanaOwner(), world.newEmail()]
    await prove(owner, { email })
    const { session } = await world.must('createKycSession', { input: { wallet: owner.wallet } })
    await world.decide((session as { sessionId: string }).sessionId, { status: 'Approved', callback: false })
    world.clock.advance(60_000)
    expect(await world.must('kycRecord', { wallet: owner.wallet })).toMatchObject({
      status: 'APPROVED',
      approved: true,
    })
    expect(await world.must('kycRecord', { email })).toMatchObject({ status: 'PENDING', approved: false })
    expect(await world.must('kycStanding', { email })).toEqual({ state: 'NO_RECORD' })
    expect(await world.must('kycStanding', { email, wallet: owner.wallet })).toEqual({ state: 'APPROVED' })
  })

  it('joins the person of the address and the person of the wallet', async () => {
    const [owner, email] = [evmOwner(), await world.provedEmail()]
    await prove(owner)
    const { session } = await world.must('createKycSession', { input: { email } })
    expect((await prove(owner, { email })).answer).toMatchObject({ created: false, emailVerified: true })
    const [byEmail, byWallet] = [
      await world.must('kycRecord', { email }),
      await world.must('kycRecord', { wallet: owner.wallet }),
    ]
    expect(byWallet).toEqual(byEmail)
    expect(byEmail['sessionId']).toBe((session as { sessionId: string }).sessionId)
  })

  it('belongs to one wallet, and a wallet to one address', async () => {
    const [owner, email] = [evmOwner(), world.newEmail()]
    await prove(owner, { email })
    expect((await prove(solanaOwner(), { email })).code).toBe('EMAIL_ALREADY_LINKED')
    expect((await prove(owner, { email: world.newEmail() })).code).toBe('EMAIL_ALREADY_LINKED')
    expect((await prove(owner, { email })).code).toBeUndefined()
  })
})
