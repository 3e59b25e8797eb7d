import bs58 from 'bs58'
import { MAX_WIRE_BYTES, parseWire, WireError, type Wire } from '../../../chains/solana/wire.js'
import type { Config } from './params.js'
import { invalidParams } from './rpc-error.js'

const TYPE = 'solana_transaction::versioned::VersionedTransaction'
/** The longest text of 1232 bytes in each encoding (Agave: rpc.rs, MAX_BASE58_SIZE and MAX_BASE64_SIZE). */
const LONGEST = { base58: 1683, base64: 1644 } as const

/**
 * The transaction that a caller sent. Everything that the runtime would not survive is refused here.
 * @throws RpcError as a node does
 */
export function readWire(text: string, config: Config): { bytes: Uint8Array; wire: Wire } {
  const { encoding = 'base58' } = config as { encoding?: unknown }
  if (encoding !== 'base58' && encoding !== 'base64') {
    throw invalidParams(`unsupported encoding: ${String(encoding)}. Supported encodings: base58, base64`)
  }
  if (text.length > LONGEST[encoding]) throw tooLarge(encoding, text.length)
  const bytes = decode(text, encoding)
  if (bytes.length > MAX_WIRE_BYTES) {
    throw invalidParams(`decoded ${TYPE} too large: ${bytes.length} bytes (max: ${MAX_WIRE_BYTES} bytes)`)
  }
  try {
    return { bytes, wire: parseWire(bytes) }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    if (error.kind === 'encoding') throw invalidParams(`failed to deserialize ${TYPE}: ${error.message}`)
    throw invalidParams('invalid transaction: Transaction failed to sanitize accounts offsets correctly')
  }
}

function tooLarge(encoding: keyof typeof LONGEST, length: number): Error {
  const max = `max: encoded/raw ${LONGEST[encoding]}/${MAX_WIRE_BYTES}`
  return invalidParams(`${encoding} encoded ${TYPE} too large: ${length} bytes (${max})`)
}

function decode(text: string, encoding: 'base58' | 'base64'): Uint8Array {
  if (encoding === 'base58') {
    const bytes = bs58.decodeUnsafe(text)
    if (bytes) return bytes
    throw invalidParams('invalid base58 encoding: InvalidCharacter')
  }
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') === text) return bytes
  throw invalidParams('invalid base64 encoding: InvalidPadding')
}
