import { createPrivateKey, sign } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'

/** Something that signs for one account: a local key here, a remote signer in `chains/signers`. */
export interface SolanaSigner {
  /** Base58. */
  address: string
  /**
   * The 64 bytes of the message's signature.
   * @throws AppError `provider_unavailable`, `provider_timeout` where the signer is another system
   */
  sign: (message: Uint8Array) => Promise<Uint8Array>
}

/** What stands before the seed in PKCS #8 (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * A signer that holds its key in memory.
 * @param secretKey 64 bytes as Solana's tools write them (seed, then public key), or the 32 bytes of the seed
 * @throws RangeError where the bytes are no key, or their two halves do not belong together
 */
export function localSolanaSigner(secretKey: Uint8Array): SolanaSigner {
  if (secretKey.length !== 64 && secretKey.length !== 32) throw new RangeError('a Solana key has 64 or 32 bytes')
  const seed = Uint8Array.from(secretKey.subarray(0, 32))
  const publicKey = ed25519.getPublicKey(seed)
  if (secretKey.length === 64 && !Buffer.from(publicKey).equals(secretKey.subarray(32))) {
    throw new RangeError('the halves of this Solana key do not belong together')
  }
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  return {
    address: bs58.encode(publicKey),
    // OpenSSL's is some twenty times as fast as one in JavaScript, and gives the same bytes (RFC 8032).
    sign: (message) => Promise.resolve(sign(null, message, key)),
  }
}
