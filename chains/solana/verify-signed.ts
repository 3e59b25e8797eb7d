import { ed25519 } from '@noble/curves/ed25519.js'
import { ComputeBudgetProgram } from '@solana/web3.js'
import bs58 from 'bs58'
import { differs, undecodable } from '../signed-refusals.js'
import { isOnCurve } from './on-curve.js'
import { isWritable, MAX_WIRE_BYTES, parseWire, type Wire, type WireMessage } from './wire.js'

/** A signed transaction that is what was built: its signature, by which the chain knows it, is known before it is sent. */
export interface SignedSolanaTransaction {
  /** Base58. */
  signature: string
  /** Base64 in its canonical form. */
  raw: string
}

/** The same from a wallet, which may have put in a newer blockhash: before a block has it, nobody can say until when one may. */
interface VerifiedSolanaTransaction extends SignedSolanaTransaction {
  hasOtherBlockhash: boolean
}

/** Phantom and Solflare add this program's instructions, which check a transaction's effects (docs.phantom.com). */
const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'
const COMPUTE_BUDGET = ComputeBudgetProgram.programId.toBase58()

/** Wallets choose their own priority; above this a payer would burn money by mistake. In lamports. */
const HIGHEST_PRIORITY_FEE = 10_000_000n

/**
 * Checks that `raw` is the built transaction, signed by its payer: the same message, or one that differs only in
 * instructions of the programs that wallets are known to add, and in its blockhash (Solana Pay has wallets set it).
 * @param unsigned what was handed out: the base64 wire
 * @param raw base64 of the signed wire
 * @throws AppError `invalid_parameters` (no signed transaction in canonical encoding), `invalid_signed_transaction`
 *   (`details` says what differs)
 */
export function verifySigned(unsigned: { serialized: string }, raw: string): VerifiedSolanaTransaction {
  const { bytes, wire } = decode(raw)
  const built = parseWire(Buffer.from(unsigned.serialized, 'base64'))
  if (!Buffer.from(wire.messageBytes).equals(built.messageBytes)) checkContent(built.message, wire.message)
  checkSignatures(wire)
  const [signature = new Uint8Array()] = wire.signatures
  const hasOtherBlockhash = !Buffer.from(wire.message.blockhash).equals(built.message.blockhash)
  return { signature: bs58.encode(signature), raw: Buffer.from(bytes).toString('base64'), hasOtherBlockhash }
}

function decode(raw: string): { bytes: Uint8Array; wire: Wire } {
  if (raw.length > Math.ceil(MAX_WIRE_BYTES / 3) * 4) throw undecodable('it is too long')
  const bytes = Buffer.from(raw, 'base64')
  // Node skips what is not base64, and takes base64url as well.
  if (bytes.length === 0 || bytes.toString('base64') !== raw) throw undecodable('it is not base64')
  if (bytes.length > MAX_WIRE_BYTES) throw undecodable('it is too long')
  try {
    return { bytes, wire: parseWire(bytes) }
  } catch {
    throw undecodable('it is not an encoded transaction')
  }
}

/**
 * Every signature has to be right by the strict rules: the lenient ones accept one signature for any message under some
 * public keys of small order, and PDAs, which are not on the curve, have no signatures at all.
 */
function checkSignatures({ signatures, messageBytes, message }: Wire): void {
  for (const [index, signature] of signatures.entries()) {
    const key = message.keys[index] ?? new Uint8Array()
    if (signature.every((byte) => byte === 0)) throw undecodable('it is not signed')
    if (!isSignature(signature, messageBytes, key)) throw differs('a signature is not right')
  }
}

function isSignature(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean {
  try {
    return isOnCurve(key) && ed25519.verify(signature, message, key, { zip215: false })
  } catch {
    return false
  }
}

/** One instruction with its keys written out, so that two messages can be compared whatever the order of their keys. */
interface Resolved {
  program: string
  accounts: readonly string[]
  data: Buffer
}

function checkContent(built: WireMessage, signed: WireMessage): void {
  if (signed.version !== built.version) throw differs('it has another format')
  if (signed.lookups.length > 0) throw differs('it takes accounts from a table')
  if (signerKeys(signed).join() !== signerKeys(built).join()) throw differs('it has other signers')
  const kept = resolve(signed).filter(isOurs)
  const wanted = resolve(built).filter(isOurs)
  if (kept.length !== wanted.length || !wanted.every((instruction, index) => isSame(instruction, kept[index]))) {
    throw differs('it has other instructions')
  }
  if (hasAbsurdFee(signed)) throw differs('its fee is absurd')
}

function signerKeys({ keys, requiredSignatures }: WireMessage): string[] {
  return keys.slice(0, requiredSignatures).map((key) => bs58.encode(key))
}

function resolve(message: WireMessage): Resolved[] {
  // A key's rights are the message's, not the instruction's: one that became writable would be another instruction.
  const keyOf = (index: number): string =>
    `${bs58.encode(message.keys[index] ?? new Uint8Array())}${isWritable(message, index) ? '+' : ''}`
  return message.instructions.map(({ programIdIndex, accountIndexes, data }) => ({
    program: bs58.encode(message.keys[programIdIndex] ?? new Uint8Array()),
    accounts: accountIndexes.map(keyOf),
    data: Buffer.from(data),
  }))
}

function isOurs({ program }: Resolved): boolean {
  return !isAddedByWallets(program)
}

/** Whether wallets are known to add instructions of a program: they check what a transaction does, or set its fee. */
export function isAddedByWallets(program: string): boolean {
  return program === LIGHTHOUSE || program === COMPUTE_BUDGET
}

function isSame(wanted: Resolved, found: Resolved | undefined): boolean {
  return (
    found?.program === wanted.program &&
    found.accounts.join() === wanted.accounts.join() &&
    found.data.equals(wanted.data)
  )
}

/** Whether the compute budget, which wallets may set themselves, is beyond reason. */
export function hasAbsurdFee(signed: WireMessage): boolean {
  let units = 1_400_000n
  let microLamports = 0n
  for (const { program, data } of resolve(signed)) {
    if (program !== COMPUTE_BUDGET) continue
    if (data[0] === 2 && data.length >= 5) units = BigInt(data.readUInt32LE(1))
    if (data[0] === 3 && data.length >= 9) microLamports = data.readBigUInt64LE(1)
  }
  return (units * microLamports) / 1_000_000n > HIGHEST_PRIORITY_FEE
}
