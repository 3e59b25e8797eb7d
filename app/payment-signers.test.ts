import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import { recoverTransactionAddress, toBytes, type TransactionSerializedEIP1559 } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect, it } from 'vitest'
import { createLog } from '../kernel/log.js'
import { KMS_ACCOUNT, startKms } from '../test/harness/aws-kms.js'
import { startWeb3Signer } from '../test/harness/web3signer.js'
import { loadEnv } from './env.js'
import { paymentSigners } from './payment-signers.js'

it('the settings of remote signers lead to signatures of their accounts, with no key in the environment', async () => {
  const [operatorKey, treasuryKey, solanaSecret] = [generatePrivateKey(), generatePrivateKey(), randomBytes(32)]
  const [operator, treasury] = [privateKeyToAddress(operatorKey), privateKeyToAddress(treasuryKey)]
  const publicKey = ed25519.getPublicKey(solanaSecret)
  const standIn = await startWeb3Signer(operatorKey)
  const kms = await startKms({
    'alias/evm': { spec: 'ECC_SECG_P256K1', secret: toBytes(treasuryKey) },
    'alias/solana': { spec: 'ECC_NIST_EDWARDS25519', secret: solanaSecret },
  })
  const env = loadEnv({
    MODE: 'sandbox',
    OPERATOR_EVM_SIGNER: `web3signer:${standIn.url}?address=${operator}`,
    TREASURY_EVM_SIGNER: `aws-kms:${KMS_ACCOUNT.region}/alias/evm?address=${treasury}`,
    TREASURY_SOLANA_SIGNER: `aws-kms:${KMS_ACCOUNT.region}/alias/solana?address=${bs58.encode(publicKey)}`,
    AWS_ACCESS_KEY_ID: KMS_ACCOUNT.accessKeyId,
    AWS_SECRET_ACCESS_KEY: KMS_ACCOUNT.secretAccessKey,
    AWS_SESSION_TOKEN: KMS_ACCOUNT.sessionToken,
    AWS_ENDPOINT_URL_KMS: kms.url,
  })
  const signers = paymentSigners(env, undefined, createLog('silent'))
  const transaction = { type: 'eip1559', chainId: 1, nonce: 1, gas: 21_000n, to: treasury, value: 1n } as const
  for (const [signer, account] of [
    [signers.gasPayerSigner, operator],
    [signers.treasuryEvmSigners[0], treasury],
  ] as const) {
    const raw = (await signer?.signTransaction(transaction)) as TransactionSerializedEIP1559
    expect(signer?.address).toBe(account)
    expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(account)
  }
  const message = randomBytes(300)
  const signature = (await signers.treasurySolanaSigners[0]?.sign(message)) ?? new Uint8Array()
  expect(ed25519.verify(signature, message, publicKey)).toBe(true)
})
