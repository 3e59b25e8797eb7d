import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'

/** The address of a seed's key pair, base58. */
export function addressOfSeed(seed: Uint8Array): string {
  return bs58.encode(ed25519.getPublicKey(seed))
}

/** A seed's key pair as Solana's tools write it: 64 numbers, the seed and then the public key. */
export function secretKeyOfSeed(seed: Uint8Array): number[] {
  return [...seed, ...ed25519.getPublicKey(seed)]
}
