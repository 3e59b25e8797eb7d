/** The most that one network packet carries, and so the largest transaction in these formats (solana-packet: PACKET_DATA_SIZE). */
export const MAX_WIRE_BYTES = 1232

const SIGNATURE_BYTES = 64
const KEY_BYTES = 32
const MAX_KEYS = 256

/** One instruction of a message: indexes into its account keys, and the program's own data. */
export interface WireInstruction {
  programIdIndex: number
  accountIndexes: readonly number[]
  data: Uint8Array
}

/** A transaction's message, read from its bytes. Keys and blockhash are 32 bytes each. */
export interface WireMessage {
  version: 'legacy' | 0
  requiredSignatures: number
  readonlySigned: number
  readonlyUnsigned: number
  keys: readonly Uint8Array[]
  blockhash: Uint8Array
  instructions: readonly WireInstruction[]
  /** Tables that a version 0 message takes further accounts from. */
  lookups: readonly { table: Uint8Array; writable: readonly number[]; readonly: readonly number[] }[]
}

/** A transaction as it travels: its signatures (64 zero bytes where one is missing), and what they sign. */
export interface Wire {
  signatures: readonly Uint8Array[]
  messageBytes: Uint8Array
  message: WireMessage
}

/** Why bytes are no transaction. `encoding`: they cannot be read; `content`: they can, but no node takes them. */
export class WireError extends Error {
  override readonly name = 'WireError'
  readonly kind: 'encoding' | 'content'

  constructor(kind: 'encoding' | 'content', message: string) {
    super(message)
    this.kind = kind
  }
}

interface Reader {
  bytes: Uint8Array
  offset: number
}

/**
 * Reads a legacy or version 0 transaction as strictly as a node does (bincode with `ShortVec`, then `sanitize`; crates
 * solana-transaction and solana-message): no byte may be left over, no length may be written longer than needed, and
 * every index has to point at something.
 * @throws WireError
 */
export function parseWire(bytes: Uint8Array): Wire {
  const reader = { bytes, offset: 0 }
  const signatures = readMany(reader, () => take(reader, SIGNATURE_BYTES))
  const messageBytes = bytes.subarray(reader.offset)
  const message = readMessage(reader)
  if (reader.offset !== bytes.length) throw new WireError('encoding', 'bytes are left over')
  checkMessage(message)
  if (signatures.length !== message.requiredSignatures) {
    throw new WireError('content', 'the number of signatures is not the one required')
  }
  return { signatures, messageBytes, message }
}

/**
 * Reads a message alone; see `parseWire`.
 * @throws WireError
 */
export function parseMessage(bytes: Uint8Array): WireMessage {
  const reader = { bytes, offset: 0 }
  const message = readMessage(reader)
  if (reader.offset !== bytes.length) throw new WireError('encoding', 'bytes are left over')
  checkMessage(message)
  return message
}

/** Whether a message's account is written to; see the layout of the header in solana-message. Table accounts not included. */
export function isWritable(message: WireMessage, index: number): boolean {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, keys } = message
  if (index < requiredSignatures) return index < requiredSignatures - readonlySigned
  return index < keys.length - readonlyUnsigned
}

function readMessage(reader: Reader): WireMessage {
  const first = peek(reader)
  const version = (first & 0x80) === 0 ? 'legacy' : 0
  if (version === 0 && (first & 0x7f) !== 0) throw new WireError('encoding', 'its version is not known')
  if (version === 0) reader.offset += 1
  const requiredSignatures = readByte(reader)
  const readonlySigned = readByte(reader)
  const readonlyUnsigned = readByte(reader)
  const keys = readMany(reader, () => take(reader, KEY_BYTES))
  const blockhash = take(reader, KEY_BYTES)
  const instructions = readMany(reader, () => ({
    programIdIndex: readByte(reader),
    accountIndexes: readIndexes(reader),
    data: take(reader, readLength(reader)),
  }))
  const lookups =
    version === 'legacy'
      ? []
      : readMany(reader, () => ({
          table: take(reader, KEY_BYTES),
          writable: readIndexes(reader),
          readonly: readIndexes(reader),
        }))
  return { version, requiredSignatures, readonlySigned, readonlyUnsigned, keys, blockhash, instructions, lookups }
}

function checkMessage(message: WireMessage): void {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, keys, instructions, lookups } = message
  const wrong = (problem: string): WireError => new WireError('content', problem)
  // The fee payer, which is the first key, has to be a writable signer.
  if (readonlySigned >= requiredSignatures) throw wrong('it has no writable signer')
  if (requiredSignatures + readonlyUnsigned > keys.length) throw wrong('its header names more keys than it has')
  const looked = lookups.reduce((total, { writable, readonly }) => total + writable.length + readonly.length, 0)
  if (lookups.some(({ writable, readonly }) => writable.length + readonly.length === 0)) {
    throw wrong('it names a table and takes nothing from it')
  }
  const available = keys.length + looked
  if (available > MAX_KEYS) throw wrong('it has too many accounts')
  for (const { programIdIndex, accountIndexes } of instructions) {
    // A program is never the fee payer, and never comes from a table.
    if (programIdIndex === 0 || programIdIndex >= keys.length) throw wrong('an instruction has no program')
    if (accountIndexes.some((index) => index >= available)) throw wrong('an instruction names an account it has not')
  }
}

function readIndexes(reader: Reader): number[] {
  return [...take(reader, readLength(reader))]
}

function readMany<T>(reader: Reader, readOne: () => T): T[] {
  return Array.from({ length: readLength(reader) }, readOne)
}

/** `ShortVec`'s length: seven bits a byte, lowest first, at most 65535, never longer than needed. */
function readLength(reader: Reader): number {
  let length = 0
  for (let position = 0; position < 3; position += 1) {
    const byte = readByte(reader)
    if (position > 0 && byte === 0) throw new WireError('encoding', 'a length is written longer than needed')
    length |= (byte & 0x7f) << (7 * position)
    if ((byte & 0x80) === 0) {
      if (length > 0xffff) break
      return length
    }
  }
  throw new WireError('encoding', 'a length is too large')
}

function peek({ bytes, offset }: Reader): number {
  const byte = bytes[offset]
  if (byte === undefined) throw new WireError('encoding', 'it ends too early')
  return byte
}

function readByte(reader: Reader): number {
  const byte = peek(reader)
  reader.offset += 1
  return byte
}

function take(reader: Reader, length: number): Uint8Array {
  const end = reader.offset + length
  if (end > reader.bytes.length) throw new WireError('encoding', 'it ends too early')
  const part = reader.bytes.subarray(reader.offset, end)
  reader.offset = end
  return part
}
