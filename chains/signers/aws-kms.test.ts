import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import {
  bytesToHex,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerializableEIP1559,
  type TransactionSerializedEIP1559,
} from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { capturedLog } from '../../test/harness/captured-log.js'
import { KMS_ACCOUNT, startKms } from '../../test/harness/aws-kms.js'
import { kmsEvmSigner, kmsSolanaSigner, type KmsAccess } from './aws-kms.js'

/** Half of the order of secp256k1: chains refuse a higher s. */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

const evmSecret = randomBytes(32)
const solanaSecret = randomBytes(32)
const evmKeyId = '1234abcd-12ab-34cd-56ef-1234567890ab'
const solanaKeyId = 'alias/treasury-solana'
const kms = await startKms({
  [evmKeyId]: { spec: 'ECC_SECG_P256K1', secret: evmSecret },
  [solanaKeyId]: { spec: 'ECC_NIST_EDWARDS25519', secret: solanaSecret },
})
const { log, lines } = capturedLog()
const { region, ...credentials } = KMS_ACCOUNT
const access: KmsAccess = { credentials: () => Promise.resolve(credentials), url: kms.url, now: () => new Date(), log }
const evm = { kind: 'aws-kms', region, keyId: evmKeyId, address: privateKeyToAddress(bytesToHex(evmSecret)) } as const
const publicKey = ed25519.getPublicKey(solanaSecret)
const solana = { kind: 'aws-kms', region, keyId: solanaKeyId, address: bs58.encode(publicKey) } as const

const transaction = (nonce: number): TransactionSerializableEIP1559 => ({
  type: 'eip1559',
  chainId: 137,
  nonce,
  to: '0x00000000000000000000000000000000000000aa',
  value: 5n,
  data: '0x1234',
  gas: 60_000n,
  maxFeePerGas: 30_000_000_000n,
  maxPriorityFeePerGas: 2_000_000_000n,
})
const MESSAGE = randomBytes(700)

afterEach(() => {
  kms.fault = undefined
})

describe('an EVM account in AWS KMS', () => {
  it('signs what it was given, always with the lower s, though KMS gives the higher one half of the time', async () => {
    const signer = kmsEvmSigner(evm, access)
    for (let nonce = 1; nonce <= 24; nonce += 1) {
      const raw = (await signer.signTransaction(transaction(nonce))) as TransactionSerializedEIP1559
      const { s, ...signed } = parseTransaction(raw)
      expect(signed).toMatchObject(transaction(nonce))
      expect(BigInt(s ?? 0) <= MAX_S).toBe(true)
      expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(evm.address)
    }
  })

  it('is refused where the key is of another account, of Solana, or missing', async () => {
    const other = kmsEvmSigner({ ...evm, address: '0x00000000000000000000000000000000000000AA' }, access)
    await expect(other.signTransaction(transaction(1))).rejects.toMatchObject({
      code: 'provider_unavailable',
      details: 'the signer: aws-kms sent a signature of another account or transaction',
    })
    await expect(refusalOf(kmsEvmSigner({ ...evm, keyId: solanaKeyId }, access))).resolves.toMatch('InvalidKeyUsage')
    await expect(refusalOf(kmsEvmSigner({ ...evm, keyId: 'mrk-1' }, access))).resolves.toBe(
      'the signer: aws-kms answered 400 NotFoundException',
    )
  })

  it('is not available with credentials or a clock that AWS does not take', async () => {
    const refused: [Partial<KmsAccess>, string][] = [
      [
        { credentials: () => Promise.resolve({ ...credentials, secretAccessKey: 'another' }) },
        'InvalidSignatureException',
      ],
      [
        { credentials: () => Promise.resolve({ ...credentials, sessionToken: undefined }) },
        'UnrecognizedClientException',
      ],
      [{ now: () => new Date(Date.now() - 600_000) }, 'InvalidSignatureException'],
    ]
    for (const [changes, type] of refused) {
      const signer = kmsEvmSigner(evm, { ...access, ...changes })
      await expect(refusalOf(signer)).resolves.toBe(`the signer: aws-kms answered 400 ${type}`)
    }
    await expect(refusalOf(kmsEvmSigner({ ...evm, region: 'us-east-1' }, access))).resolves.toMatch('Unrecognized')
  })

  it.each([
    ['DER that is cut', { Signature: 'MEQCIA==', SigningAlgorithm: 'ECDSA_SHA_256' }],
    ['another algorithm', { Signature: 'MEQCIA==', SigningAlgorithm: 'ECDSA_SHA_384' }],
    ['no signature', {}],
  ])('refuses an answer with %s', async (_, answer) => {
    kms.fault = { status: 200, body: JSON.stringify(answer) }
    await expect(refusalOf(kmsEvmSigner(evm, access))).resolves.toMatch(/^the signer: aws-kms sent no signature/)
  })

  it('that does not answer is a timeout, which ends by itself', async () => {
    kms.fault = 'hang'
    const answer = kmsEvmSigner(evm, { ...access, timeoutMs: 200 }).signTransaction(transaction(1))
    await expect(answer).rejects.toMatchObject({ code: 'provider_timeout' })
  })
})

describe('a Solana account in AWS KMS', () => {
  it('signs a message as the key itself does, which gives the same bytes each time', async () => {
    const signature = await kmsSolanaSigner(solana, access).sign(MESSAGE)
    expect(Buffer.from(signature)).toEqual(Buffer.from(ed25519.sign(MESSAGE, solanaSecret)))
  })

  it('is refused where the signature is of another account or message', async () => {
    const address = bs58.encode(ed25519.getPublicKey(randomBytes(32)))
    const other = kmsSolanaSigner({ ...solana, address }, access).sign(MESSAGE)
    const details = 'the signer: aws-kms sent a signature of another account or message'
    await expect(other).rejects.toMatchObject({ code: 'provider_unavailable', details })
    const Signature = Buffer.from(ed25519.sign(randomBytes(700), solanaSecret)).toString('base64')
    kms.fault = { status: 200, body: JSON.stringify({ Signature, SigningAlgorithm: 'ED25519_SHA_512' }) }
    await expect(kmsSolanaSigner(solana, access).sign(MESSAGE)).rejects.toMatchObject({ details })
  })
})

it('credentials for AWS KMS are in no log', () => {
  expect(lines.length).toBeGreaterThan(20)
  expect(lines.join('')).not.toMatch(/a\/secret|a session token|AWS4/)
})

/** The details of the refusal of a signature. */
async function refusalOf(signer: ReturnType<typeof kmsEvmSigner>): Promise<string> {
  const error: unknown = await signer.signTransaction(transaction(1)).catch((thrown: unknown) => thrown)
  return String((error as { details?: unknown }).details)
}
