import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import bs58 from 'bs58'
import { keccak256, toBytes } from 'viem'
import { z } from 'zod'
import { createHttpClient } from '../../kernel/http.js'
import { protocolError } from '../../kernel/provider-error.js'
import type { Signer } from '../evm/signer.js'
import type { SolanaSigner } from '../solana/signer.js'
import type { AwsCredentialSource } from './aws-credentials.js'
import { signAwsRequest } from './aws-signature.js'
import { signElsewhere, type EcdsaSignature } from './evm-signature.js'
import type { KmsEvmLocation, KmsSolanaLocation } from './parse-signer.js'
import { askSigner, SIGNER_TIMEOUT_MS, type SignerAccess } from './signer-failure.js'

const PROVIDER = 'aws-kms'

/** What the keys in AWS KMS are asked with. */
export interface KmsAccess extends SignerAccess {
  credentials: AwsCredentialSource
  /** Another address than AWS's own for the region, such as that of a VPC endpoint. */
  url: string | undefined
  /** The world's time, which AWS compares with its own: never a sandbox's. */
  now: () => Date
}

/**
 * An EVM account whose key is in AWS KMS (`ECC_SECG_P256K1`). KMS takes another random number each time, so that the same
 * transaction gets another signature and hash when it is signed again.
 * @throws AppError (each signature) `provider_unavailable`, `provider_timeout`
 */
export function kmsEvmSigner({ address, ...key }: KmsEvmLocation, access: KmsAccess): Signer {
  const ask = kmsSign(key, access, { MessageType: 'DIGEST', SigningAlgorithm: 'ECDSA_SHA_256' })
  return {
    address,
    signTransaction: (transaction) =>
      askSigner(() =>
        signElsewhere(PROVIDER, address, transaction, async (unsigned) =>
          readDer(await ask(toBytes(keccak256(unsigned)))),
        ),
      ),
  }
}

/**
 * A Solana account whose key is in AWS KMS (`ECC_NIST_EDWARDS25519`).
 * @throws AppError (each signature) `provider_unavailable`, `provider_timeout`
 */
export function kmsSolanaSigner({ address, ...key }: KmsSolanaLocation, access: KmsAccess): SolanaSigner {
  const ask = kmsSign(key, access, { MessageType: 'RAW', SigningAlgorithm: 'ED25519_SHA_512' })
  const publicKey = bs58.decode(address)
  return {
    address,
    sign: (message) =>
      askSigner(async () => {
        const signature = await ask(message)
        if (!isSolanaSignature(signature, message, publicKey)) {
          throw protocolError(PROVIDER, `${PROVIDER} sent a signature of another account or message`)
        }
        return signature
      }),
  }
}

/** The action `Sign` of one key. Gives the bytes of the signature, in KMS's own form. */
function kmsSign(
  { region, keyId }: { region: string; keyId: string },
  { credentials, url, now, log, timeoutMs = SIGNER_TIMEOUT_MS }: KmsAccess,
  algorithm: { MessageType: 'DIGEST' | 'RAW'; SigningAlgorithm: string },
): (message: Uint8Array) => Promise<Uint8Array> {
  const baseUrl = url ?? `https://kms.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  const http = createHttpClient({ provider: PROVIDER, baseUrl, timeoutMs, log })
  const answer = z.object({
    Signature: z.base64().transform((text) => Uint8Array.from(Buffer.from(text, 'base64'))),
    SigningAlgorithm: z.literal(algorithm.SigningAlgorithm),
  })
  return async (message) => {
    const body = { KeyId: keyId, Message: Buffer.from(message).toString('base64'), ...algorithm }
    const headers = signAwsRequest(
      {
        url: new URL('/', baseUrl),
        ...{ region, service: 'kms' },
        headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'TrentService.Sign' },
        // The HTTP client sends the same text.
        body: JSON.stringify(body),
      },
      await credentials(),
      now(),
    )
    const response = await http.request({ method: 'POST', path: '/', headers, body, idempotent: true })
    const { data } = answer.safeParse(response.body)
    if (!data) throw protocolError(PROVIDER, `${PROVIDER} sent no signature`)
    return data.Signature
  }
}

function readDer(bytes: Uint8Array): EcdsaSignature {
  try {
    const { r, s } = secp256k1.Signature.fromBytes(bytes, 'der')
    return { r, s }
  } catch {
    throw protocolError(PROVIDER, `${PROVIDER} sent no signature in DER`)
  }
}

function isSolanaSignature(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return signature.length === 64 && ed25519.verify(signature, message, publicKey, { zip215: false })
  } catch {
    return false
  }
}
