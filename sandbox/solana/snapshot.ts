import { closeSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'

/** The chain's state at one moment. */
export interface Snapshot {
  /** The last transaction of the history that it contains. */
  sequence: number
  /** The chain's time, in seconds since 1970. */
  unixSeconds: number
  /** What `Svm.save` gave. */
  state: Uint8Array
}

/** Marks the file's format; a file of another one is not read. */
const MAGIC = Buffer.from('sandbox-solana-1')
const HEADER_BYTES = MAGIC.length + 16

/** Writes a snapshot in one step: a process that is killed meanwhile leaves the old one. */
export function writeSnapshot(file: string, { sequence, unixSeconds, state }: Snapshot): void {
  const header = Buffer.alloc(HEADER_BYTES)
  MAGIC.copy(header)
  header.writeBigUInt64LE(BigInt(sequence), MAGIC.length)
  header.writeBigUInt64LE(BigInt(unixSeconds), MAGIC.length + 8)
  const temporary = `${file}.new`
  const descriptor = openSync(temporary, 'w', 0o600)
  try {
    for (const part of [header, state]) writeAll(descriptor, part)
  } finally {
    closeSync(descriptor)
  }
  renameSync(temporary, file)
}

/** Reads a snapshot. @returns undefined where there is none, or it is of another format */
export function readSnapshot(file: string): Snapshot | undefined {
  let content: Buffer
  try {
    content = readFileSync(file)
  } catch {
    return undefined
  }
  if (content.length <= HEADER_BYTES || !content.subarray(0, MAGIC.length).equals(MAGIC)) return undefined
  return {
    sequence: Number(content.readBigUInt64LE(MAGIC.length)),
    unixSeconds: Number(content.readBigUInt64LE(MAGIC.length + 8)),
    state: content.subarray(HEADER_BYTES),
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written)
}
