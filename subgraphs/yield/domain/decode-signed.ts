import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import { isOnCurve } from '../../../chains/solana/on-curve.js'
import { MAX_WIRE_BYTES, parseWire, type Wire } from '../../../chains/solana/wire.js'
import { AppError } from '../../../kernel/errors.js'

/** A signed transaction, ready to be sent. */
export interface SignedTransaction {
  /** The fee payer's signature, base58: the name that the chain knows the transaction by. */
  signature: string
  /** Base64. */
  wire: string
  blockhash: string
  /** Base58. */
  feePayer: string
  /** Every program that its instructions call, base58. */
  programs: ReadonlySet<string>
}

/**
 * Reads a signed transaction and checks it as a node would, so that nothing is sent that no node takes: one packet, its
 * encoding canonical, every signature there and right.
 * @param text base64
 * @throws AppError signed_transaction_missing, `details` saying why
 */
export function decodeSigned(text: string): SignedTransaction {
  const bytes = decodeBase64(text)
  const wire = parse(bytes)
  for (const [index, signature] of wire.signatures.entries()) {
    if (signature.every((byte) => byte === 0)) throw unusable('it is not signed')
    if (!isSignature(signature, wire, index)) throw unusable('a signature is not right')
  }
  const { message } = wire
  return {
    signature: bs58.encode(wire.signatures[0] ?? new Uint8Array()),
    wire: bytes.toString('base64'),
    blockhash: bs58.encode(message.blockhash),
    feePayer: bs58.encode(message.keys[0] ?? new Uint8Array()),
    programs: new Set(
      message.instructions.map(({ programIdIndex }) => bs58.encode(message.keys[programIdIndex] ?? [])),
    ),
  }
}

/** The bytes of strict base64, of at most one packet. @throws AppError signed_transaction_missing */
export function decodeBase64(text: string): Buffer {
  if (text.length > Math.ceil(MAX_WIRE_BYTES / 3) * 4) throw unusable('it is larger than a transaction')
  const bytes = Buffer.from(text, 'base64')
  // Node skips what is not base64 and takes its URL form as well.
  if (bytes.length === 0 || bytes.toString('base64') !== text) throw unusable('it is not base64')
  return bytes
}

function parse(bytes: Buffer): Wire {
  try {
    return parseWire(bytes)
  } catch (error) {
    throw unusable((error as Error).message)
  }
}

/**
 * By the strict rules, as nodes check: the lenient ones take one signature for any message under keys of small order. A
 * key that is not on the curve, a program's address, has no signatures.
 */
function isSignature(signature: Uint8Array, { message, messageBytes }: Wire, index: number): boolean {
  const key = message.keys[index] ?? new Uint8Array()
  try {
    return isOnCurve(key) && ed25519.verify(signature, messageBytes, key, { zip215: false })
  } catch {
    return false
  }
}

function unusable(details: string): AppError {
  return new AppError('signed_transaction_missing', { details })
}
