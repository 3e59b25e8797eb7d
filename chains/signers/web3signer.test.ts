import {
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerializableEIP1559,
  type TransactionSerializedEIP1559,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { capturedLog } from '../../test/harness/captured-log.js'
import { deadUrl } from '../../test/harness/serve.js'
import { startWeb3Signer } from '../../test/harness/web3signer.js'
import { parseEvmSigner } from './parse-signer.js'
import { web3Signer } from './web3signer.js'

const privateKey = generatePrivateKey()
const { address } = privateKeyToAccount(privateKey)
const standIn = await startWeb3Signer(privateKey, `Basic ${Buffer.from('payments:a pass:word').toString('base64')}`)
const { log, lines } = capturedLog()

const location = (url: string, of: string = address) => {
  const parsed = parseEvmSigner(`web3signer:${url}?address=${of}`)
  if (parsed.kind !== 'web3signer') throw new Error('another kind of signer')
  return parsed
}
const secret = standIn.url.replace('://', '://payments:a%20pass%3Aword@')
const signer = web3Signer(location(secret), { log })

const transaction = (chainId: number): TransactionSerializableEIP1559 => ({
  type: 'eip1559',
  chainId,
  nonce: 7,
  to: '0x00000000000000000000000000000000000000aa',
  value: 5n,
  data: '0x1234',
  gas: 60_000n,
  maxFeePerGas: 30_000_000_000n,
  maxPriorityFeePerGas: 2_000_000_000n,
})

const ofAnotherAccount = await signatureOf(generatePrivateKey(), 7)
const ofAnotherTransaction = await signatureOf(privateKey, 8)

afterEach(() => {
  standIn.fault = undefined
})

describe('an account in a Web3Signer', () => {
  it.each([1, 137, 8453])('signs what it was given, with all of its fields, on chain %i', async (chainId) => {
    const raw = (await signer.signTransaction(transaction(chainId))) as TransactionSerializedEIP1559
    expect(parseTransaction(raw)).toMatchObject(transaction(chainId))
    expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(address)
    expect(raw).toBe(await privateKeyToAccount(privateKey).signTransaction(transaction(chainId)))
  })

  it('looks its public key up once', async () => {
    await signer.signTransaction(transaction(1))
    await signer.signTransaction(transaction(1))
    expect(standIn.requests.filter((request) => request.startsWith('GET'))).toHaveLength(1)
  })

  it.each([
    ['of another account', ofAnotherAccount],
    ['of another transaction', ofAnotherTransaction],
    ['with numbers out of range', `0x${'00'.repeat(64)}1b`],
    ['that is too short', '0x1234'],
    ['that is JSON', '{"signature":"0x00"}'],
  ])('refuses a signature %s, and what waits for it goes on waiting', async (_, body) => {
    standIn.fault = { status: 200, body }
    await expect(signer.signTransaction(transaction(1))).rejects.toMatchObject({ code: 'provider_unavailable' })
  })

  it.each([401, 404, 500, 503])('that answers %i is not available, and the details say so', async (status) => {
    standIn.fault = { status, body: `no: ${secret}` }
    await expect(signer.signTransaction(transaction(1))).rejects.toMatchObject({
      code: 'provider_unavailable',
      details: `the signer: web3signer answered ${status}`,
    })
  })

  it('that does not answer is a timeout, which ends by itself', async () => {
    standIn.fault = 'hang'
    const impatient = web3Signer(location(secret), { log, timeoutMs: 200 })
    await expect(impatient.signTransaction(transaction(1))).rejects.toMatchObject({ code: 'provider_timeout' })
  })

  it('that is away, or lacks the key of the account, is not available', async () => {
    const away = web3Signer(location(await deadUrl()), { log })
    await expect(away.signTransaction(transaction(1))).rejects.toMatchObject({
      code: 'provider_unavailable',
      details: 'the signer: web3signer did not answer',
    })
    const other = web3Signer(location(secret, '0x00000000000000000000000000000000000000AA'), { log })
    await expect(other.signTransaction(transaction(1))).rejects.toMatchObject({
      code: 'provider_unavailable',
      details: 'the signer: web3signer has no key of the account',
    })
  })

  it('gives its password to nobody: neither log nor error has it', async () => {
    standIn.fault = { status: 403, body: `${secret} a pass:word` }
    const error: unknown = await signer.signTransaction(transaction(1)).catch((thrown: unknown) => thrown)
    log.error({ err: error }, 'failed')
    expect(lines.length).toBeGreaterThan(5)
    expect(lines.join('')).not.toMatch(/a pass|a%20pass|payments:|Basic/)
    expect(JSON.stringify(error)).not.toMatch(/a pass|a%20pass|Basic/)
  })
})

/** What a Web3Signer would answer for another key or nonce. */
async function signatureOf(key: `0x${string}`, nonce: number): Promise<string> {
  const raw = await privateKeyToAccount(key).signTransaction({ ...transaction(1), nonce })
  const { r = '0x', s = '0x', yParity = 0 } = parseTransaction(raw as TransactionSerializedEIP1559)
  return `0x${r.slice(2).padStart(64, '0')}${s.slice(2).padStart(64, '0')}${yParity === 0 ? '1b' : '1c'}`
}
