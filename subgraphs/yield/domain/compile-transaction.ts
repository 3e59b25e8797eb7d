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

/** What a transaction is compiled of besides its instructions. */
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

function unlessTooLarge<T>(compile: () => T): T | undefined {
  try {
    return compile()
  } catch (error) {
    // What web3.js throws where a message is larger than its buffer.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
