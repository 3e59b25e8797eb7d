import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import { getAddress, type Address } from 'viem'
import { isEvmAddress } from '../chain.js'

/** A wallet that can sign: its family, and its address in the one form that we store and show. */
export type Wallet = { family: 'evm'; address: Address } | { family: 'solana'; address: string }

/**
 * Reads a wallet's address: 0x-hex of an EVM account (any case, or a right EIP-55 checksum), or base58 of a Solana key.
 * Refused on Solana: what is not a point of the curve (a program's address, which nobody has a key for), and points of
 * small order, for which a signature of zeros passes with any message in lenient verifiers.
 * @returns the wallet with its EIP-55 or canonical base58 address; undefined where it cannot sign
 */
export function parseWallet(text: string): Wallet | undefined {
  const trimmed = text.trim()
  if (isEvmAddress(trimmed)) return { family: 'evm', address: getAddress(`0x${trimmed.slice(2).toLowerCase()}`) }
  const key = solanaKey(trimmed)
  return key && { family: 'solana', address: bs58.encode(key) }
}

/** The 32 bytes of a Solana address that a key can sign for; undefined for any other text. */
export function solanaKey(address: string): Uint8Array | undefined {
  // 32 bytes are at most 44 characters; the bound comes first because base58 decoding is quadratic.
  if (address.length < 32 || address.length > 44) return undefined
  const key = bs58.decodeUnsafe(address)
  if (key?.length !== 32) return undefined
  try {
    // Strict RFC 8032 decoding: an encoding that is not canonical would be a second name of the same key.
    const point = ed25519.Point.fromBytes(key, false)
    return point.isSmallOrder() || !point.isTorsionFree() ? undefined : key
  } catch {
    return undefined
  }
}
