import { createPrivateKey, sign } from 'node:crypto'
import { Keypair, PublicKey } from '@solana/web3.js'
import bs58 from 'bs58'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { describe, expect, it } from 'vitest'
import { act, startEvmHarness } from '../../test/harness/evm.js'
import { createEvmClient } from '../evm/client.js'
import { challengeMessage, isStatement, nonceOf } from './challenge-message.js'
import { smartWalletOf } from './fixtures/smart-wallet.js'
import { isSignatureOf } from './verify-signature.js'
import { parseWallet, type Wallet } from './wallet.js'

const ISSUER = { domain: 'pay.example.com', uri: 'https://pay.example.com', evmChainId: 137, solanaCluster: 'mainnet' }
const TERMS = {
  statement: 'Prove that this wallet is yours.',
  nonce: '0123456789abcdef',
  issuedAt: new Date('2026-01-02T03:04:05.678Z'),
  expiresAt: new Date('2026-01-02T03:14:05.678Z'),
}
/** The first account of the mnemonic that every development chain uses. */
const ACCOUNT = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

function walletOf(address: string): Wallet {
  const wallet = parseWallet(address)
  if (!wallet) throw new Error(`${address} is no wallet`)
  return wallet
}

function signSolana(keypair: Keypair, message: string): Buffer {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
  const key = createPrivateKey({
    key: Buffer.concat([prefix, keypair.secretKey.subarray(0, 32)]),
    format: 'der',
    type: 'pkcs8',
  })
  return sign(null, Buffer.from(message), key)
}

describe('a wallet', () => {
  it('is known by one address, however it is written', () => {
    for (const address of [ACCOUNT.address, ACCOUNT.address.toLowerCase(), ` ${ACCOUNT.address} `])
      expect(parseWallet(address)).toEqual({ family: 'evm', address: ACCOUNT.address })
    const key = Keypair.generate().publicKey.toBase58()
    expect(parseWallet(key)).toEqual({ family: 'solana', address: key })
  })

  it('is nothing that nobody can sign for', () => {
    const [programAddress] = PublicKey.findProgramAddressSync([Buffer.from('seed')], PublicKey.default)
    const smallOrder = ['01'.padEnd(64, '0'), '00'.repeat(32), `ec${'ff'.repeat(30)}7f`].map((hex) =>
      bs58.encode(Buffer.from(hex, 'hex')),
    )
    const wrongChecksum = ACCOUNT.address.replace('f39F', 'F39f')
    const refused = ['', 'ana@example.com', '0x1234', `0x${'0'.repeat(40)}`, wrongChecksum, programAddress.toBase58()]
    for (const address of [...refused, ...smallOrder]) expect(parseWallet(address)).toBeUndefined()
  })
})

describe('a challenge', () => {
  it('is an EIP-4361 message for an EVM wallet', () => {
    const message = challengeMessage(ISSUER, { ...TERMS, wallet: walletOf(ACCOUNT.address) })
    expect(message).toBe(
      [
        'pay.example.com wants you to sign in with your Ethereum account:',
        '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
        '',
        'Prove that this wallet is yours.',
        '',
        'URI: https://pay.example.com',
        'Version: 1',
        'Chain ID: 137',
        'Nonce: 0123456789abcdef',
        'Issued At: 2026-01-02T03:04:05.678Z',
        'Expiration Time: 2026-01-02T03:14:05.678Z',
      ].join('\n'),
    )
    const { uri, domain, evmChainId: chainId } = ISSUER
    const { statement, nonce, issuedAt, expiresAt: expirationTime } = TERMS
    const fields = { address: ACCOUNT.address, uri, domain, chainId, statement, nonce, issuedAt, expirationTime }
    expect(message).toBe(createSiweMessage({ ...fields, version: '1' }))
    expect(parseSiweMessage(message)).toMatchObject({ address: ACCOUNT.address, nonce: TERMS.nonce, chainId: 137 })
    expect(nonceOf(message)).toBe(TERMS.nonce)
  })

  it('is a Sign-In With Solana message for a Solana wallet', () => {
    const address = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'
    const message = challengeMessage(ISSUER, { ...TERMS, wallet: { family: 'solana', address } })
    expect(message.split('\n').slice(0, 3)).toEqual([
      'pay.example.com wants you to sign in with your Solana account:',
      address,
      '',
    ])
    expect(message).toContain('\nChain ID: mainnet\n')
    expect(nonceOf(message)).toBe(TERMS.nonce)
  })

  it('has a statement of one line', () => {
    expect(isStatement('kyc')).toBe(true)
    for (const text of ['', 'two\nlines', 'a'.repeat(201), 'ção', '<b>']) expect(isStatement(text)).toBe(false)
  })
})

describe('a Solana signature', () => {
  const keypair = Keypair.generate()
  const wallet = walletOf(keypair.publicKey.toBase58())
  const message = challengeMessage(ISSUER, { ...TERMS, wallet })
  const signature = signSolana(keypair, message)

  it('is taken as base58 and as base64', async () => {
    for (const text of [bs58.encode(signature), signature.toString('base64')])
      expect(await isSignatureOf(wallet, message, text, undefined)).toBe(true)
  })

  it('is refused where it is of another message, another wallet, or no signature', async () => {
    const other = walletOf(Keypair.generate().publicKey.toBase58())
    expect(await isSignatureOf(wallet, `${message} `, bs58.encode(signature), undefined)).toBe(false)
    expect(await isSignatureOf(other, message, bs58.encode(signature), undefined)).toBe(false)
    for (const text of ['', 'x', '0x1234', bs58.encode(Buffer.alloc(64)), bs58.encode(signature.subarray(1))])
      expect(await isSignatureOf(wallet, message, text, undefined)).toBe(false)
  })

  it('of zeros does not pass for a key of small order', async () => {
    const identity = Buffer.from('01'.padEnd(64, '0'), 'hex')
    const forged = Buffer.concat([identity, Buffer.alloc(32)])
    const weak: Wallet = { family: 'solana', address: bs58.encode(identity) }
    expect(await isSignatureOf(weak, message, bs58.encode(forged), undefined)).toBe(false)
  })
})

describe('an EVM signature', async () => {
  const harness = await startEvmHarness()

  const messageFor = (wallet: Wallet): string => challengeMessage(ISSUER, { ...TERMS, wallet })

  it('of an account is the one that every wallet makes (EIP-191, RFC 6979)', async () => {
    const wallet = walletOf(ACCOUNT.address)
    const signature = await ACCOUNT.signMessage({ message: messageFor(wallet) })
    expect(signature).toBe(SIWE_VECTOR)
    expect(await isSignatureOf(wallet, messageFor(wallet), SIWE_VECTOR, undefined)).toBe(true)
  })

  it('of an account needs no chain, and is refused where it is of another message or account', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const wallet = walletOf(account.address)
    const signature = await account.signMessage({ message: messageFor(wallet) })
    expect(await isSignatureOf(wallet, messageFor(wallet), signature, deadClient())).toBe(true)
    expect(await isSignatureOf(wallet, `${messageFor(wallet)} `, signature, harness.client)).toBe(false)
    expect(await isSignatureOf(walletOf(ACCOUNT.address), messageFor(wallet), signature, harness.client)).toBe(false)
    for (const text of ['', '0x', '0x12', 'hello', `0x${'00'.repeat(65)}`, `0x${'ab'.repeat(17_000)}`])
      expect(await isSignatureOf(wallet, messageFor(wallet), text, harness.client)).toBe(false)
  })

  it('of a contract wallet is asked of the chain, before (EIP-6492) and after (EIP-1271) its deployment', async () => {
    const owner = privateKeyToAccount(generatePrivateKey())
    const contract = smartWalletOf(owner.address)
    const wallet = walletOf(contract.address)
    const signature = await owner.signMessage({ message: messageFor(wallet) })
    const forged = await ACCOUNT.signMessage({ message: messageFor(wallet) })
    const verify = (text: string) => isSignatureOf(wallet, messageFor(wallet), text, harness.client)
    expect(await verify(signature)).toBe(false)
    expect(await verify(contract.counterfactual(signature))).toBe(true)
    expect(await verify(contract.counterfactual(forged))).toBe(false)
    await act(harness, { from: harness.payer.address, ...contract.deployment })
    expect(await verify(signature)).toBe(true)
    expect(await verify(forged)).toBe(false)
  })

  it('of a contract wallet is not called wrong where the chain does not answer', async () => {
    const owner = privateKeyToAccount(generatePrivateKey())
    const wallet = walletOf(smartWalletOf(owner.address).address)
    const signature = await owner.signMessage({ message: messageFor(wallet) })
    await expect(isSignatureOf(wallet, messageFor(wallet), signature, deadClient())).rejects.toMatchObject({
      code: 'provider_unavailable',
    })
  })

  /** A client of a chain that nobody runs. */
  function deadClient() {
    return createEvmClient({ ...harness.chain, rpcUrl: 'http://127.0.0.1:1' })
  }
})

/** The signature of the EIP-4361 message above by the account above. */
const SIWE_VECTOR =
  '0xacf1fe52bb787f042ed497a1b0624f4130bb5e70c149df67bd61761c412057ab5d4e92efdafa8916fab3264719f799d8b024753daa0da52da7157a198c38fb071b'
