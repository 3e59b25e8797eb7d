import { secp256k1 } from '@noble/curves/secp256k1.js'
import {
  isAddressEqual,
  keccak256,
  numberToHex,
  recoverAddress,
  serializeTransaction,
  type Address,
  type Hex,
} from 'viem'
import type { SignableTransaction } from '../evm/signer.js'
import { protocolError } from '../../kernel/provider-error.js'

/** The two numbers of an ECDSA signature on secp256k1. */
export interface EcdsaSignature {
  r: bigint
  s: bigint
}

const ORDER = secp256k1.Point.Fn.ORDER

/**
 * A transaction with a signature that comes from elsewhere. The bytes are ours: a signer adds r and s to them and nothing
 * else, so that it cannot change a field. What it sends counts only if it is a signature of this transaction by this account.
 * @param provider named in the error
 * @param sign is given the serialized transaction without a signature, whose keccak256 is to be signed
 * @returns the signed transaction, with the lower of the two possible s, as chains refuse the higher one
 * @throws ProviderError where the signature is not of this account for these bytes; what `sign` throws
 */
export async function signElsewhere(
  provider: string,
  address: Address,
  transaction: SignableTransaction,
  sign: (unsigned: Hex) => Promise<EcdsaSignature>,
): Promise<Hex> {
  const unsigned = serializeTransaction(transaction)
  const { r, s: given } = await sign(unsigned)
  const inRange = (value: bigint): boolean => value > 0n && value < ORDER
  if (!inRange(r) || !inRange(given)) throw protocolError(provider, `${provider} sent no signature of secp256k1`)
  const s = given > ORDER / 2n ? ORDER - given : given
  const hash = keccak256(unsigned)
  for (const yParity of [0, 1]) {
    const signature = {
      r: numberToHex(r, { size: 32 }),
      s: numberToHex(s, { size: 32 }),
      yParity,
      v: BigInt(27 + yParity),
    }
    if (await isSignedBy(address, hash, signature)) return serializeTransaction(transaction, signature)
  }
  throw protocolError(provider, `${provider} sent a signature of another account or transaction`)
}

/** Some r are on the curve for one parity only: recovering throws for the other. */
async function isSignedBy(
  address: Address,
  hash: Hex,
  signature: { r: Hex; s: Hex; yParity: number },
): Promise<boolean> {
  try {
    return isAddressEqual(await recoverAddress({ hash, signature }), address)
  } catch {
    return false
  }
}
