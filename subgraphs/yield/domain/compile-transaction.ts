import {
  ComputeBudgetProgram,
  TransactionMessage,
  type AddressLookupTableAccount,
  type PublicKey,
  type TransactionInstruction,
} from '@solana/web3.js'
import { compileWire } from '../../../chains/solana/transfer.js'
import { MAX_WIRE_BYTES } from '../../../chains/solana/wire.js'

/** What a transaction may use and pays for it. */
export interface Budget {
  units: number
  /** Micro-lamports for each unit. */
  microLamports: number
}

/** What a transaction is compiled of, but for its instructions. */
export interface Envelope {
  wallet: PublicKey
  blockhash: string
  lookupTable: AddressLookupTableAccount | undefined
}

const SIGNATURE_BYTES = 64
/** How many instructions of its own a compiled transaction begins with. */
export const BUDGET_INSTRUCTIONS = 2

/**
 * An unsigned transaction that fits into one packet: in the legacy format, which every wallet's library reads, and only
 * where that is too large as version 0 with the deployment's look-up table.
 * @returns the wire, or undefined where it does not fit
 */
export function compileTransaction(
  instructions: readonly TransactionInstruction[],
  budget: Budget,
  { wallet, blockhash, lookupTable }: Envelope,
): Uint8Array | undefined {
  const all = [
    ComputeBudgetProgram.setComputeUnitLimit({ units: budget.units }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: budget.microLamports }),
    ...instructions,
  ]
  const legacy = unlessTooLarge(() => compileWire(all, wallet.toBase58(), blockhash).bytes)
  if (legacy ?? !lookupTable) return legacy
  return unlessTooLarge(() => {
    const message = new TransactionMessage({ payerKey: wallet, recentBlockhash: blockhash, instructions: all })
      .compileToV0Message([lookupTable])
      .serialize()
    // One signature is needed, the wallet's; web3.js would write wires of any size.
    const wire = Buffer.concat([Buffer.from([1]), Buffer.alloc(SIGNATURE_BYTES), message])
    return wire.length <= MAX_WIRE_BYTES ? wire : undefined
  })
}

/** Where the number of keys of a legacy message stands: one byte, as no 128 keys fit into a packet. */
const LEGACY_KEY_COUNT_AT = 1 + SIGNATURE_BYTES + 3
const KEY_BYTES = 32
/** Of each instruction in front of its data: which program, no accounts, how many bytes of data. */
const INSTRUCTION_HEAD_BYTES = 3
const [LIMIT_BYTES, PRICE_BYTES] = [5, 9]

/**
 * A transaction of `compileTransaction` with another budget: its numbers have a fixed size and stand in the first two
 * instructions, and to compile again would take as long as all else that is done for an answer.
 * @throws Error where the wire does not begin with a budget
 */
export function withBudget(wire: Uint8Array, budget: Budget): Uint8Array {
  const bytes = Buffer.from(wire)
  // A message of version 0 has one byte in front, whose highest bit is set; a legacy one begins with its signers.
  const versionByte = bytes.readUInt8(1 + SIGNATURE_BYTES) & 0x80 ? 1 : 0
  const countAt = LEGACY_KEY_COUNT_AT + versionByte
  const blockhashAt = countAt + 1 + bytes.readUInt8(countAt) * KEY_BYTES
  const limitAt = blockhashAt + KEY_BYTES + 1 + INSTRUCTION_HEAD_BYTES
  const priceAt = limitAt + LIMIT_BYTES + INSTRUCTION_HEAD_BYTES
  const begins = (at: number, size: number, kind: number): boolean =>
    bytes.readUInt8(at - 1) === size && bytes.readUInt8(at) === kind
  if (!begins(limitAt, LIMIT_BYTES, 2) || !begins(priceAt, PRICE_BYTES, 3)) throw new Error('no budget comes first')
  bytes.writeUInt32LE(budget.units, limitAt + 1)
  bytes.writeBigUInt64LE(BigInt(budget.microLamports), priceAt + 1)
  return bytes
}

function unlessTooLarge<T>(compile: () => T): T | undefined {
  try {
    return compile()
  } catch (error) {
    // What web3.js throws where a message is larger than its buffer.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
