import { PublicKey } from '@solana/web3.js'
import { programAddress } from '../../../chains/solana/on-curve.js'

export const INSTRUCTIONS_SYSVAR = new PublicKey('Sysvar1nstructions1111111111111111111111111')

/** An account of an instruction. */
export interface AccountMeta {
  pubkey: PublicKey
  isSigner: boolean
  isWritable: boolean
}

/** An account that is only read. */
export function readonly(pubkey: PublicKey): AccountMeta {
  return { pubkey, isSigner: false, isWritable: false }
}

/** An account that is written to. */
export function writable(pubkey: PublicKey): AccountMeta {
  return { pubkey, isSigner: false, isWritable: true }
}

/** A program-derived address; texts and keys are its seeds. */
export function derivedAddress(program: PublicKey, ...seeds: readonly (string | PublicKey)[]): PublicKey {
  const bytes = seeds.map((seed) => (typeof seed === 'string' ? Buffer.from(seed) : seed.toBuffer()))
  return programAddress(bytes, program)
}

/** Anchor's form of an instruction with one amount: the discriminator, then a u64. */
export function amountData(discriminator: Buffer, amount: bigint): Buffer {
  const data = Buffer.alloc(16)
  discriminator.copy(data)
  data.writeBigUInt64LE(amount, 8)
  return data
}
