import { createHash } from 'node:crypto'
import { PublicKey } from '@solana/web3.js'

/** An account to be set in the sandbox's chain as it is. */
export interface SeededAccount {
  address: string
  owner: string
  lamports: bigint
  executable: boolean
  data: Buffer
}

export const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const ASSOCIATED_TOKEN_PROGRAM = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
/** The mint that wrapped SOL has. */
export const WRAPPED_SOL = new PublicKey('So11111111111111111111111111111111111111112')

const MINT_BYTES = 82
const TOKEN_ACCOUNT_BYTES = 165
/** What an account of a size has to hold to live forever: 3480 lamports a byte-year, two years, 128 bytes of overhead. */
const rentFor = (bytes: number): bigint => BigInt(bytes + 128) * 6960n

/** An account with just the rent that its size needs, and `extraLamports` on top. */
export function account(address: PublicKey, owner: PublicKey, data: Buffer, extraLamports = 0n): SeededAccount {
  const lamports = rentFor(data.length) + extraLamports
  return { address: address.toBase58(), owner: owner.toBase58(), lamports, executable: false, data }
}

/** A fixed address out of a name, for accounts that no program derives; nobody has its key. */
export function namedAddress(name: string): PublicKey {
  return new PublicKey(createHash('sha256').update(`yield sandbox: ${name}`).digest())
}

/** A program-derived address; texts and keys are its seeds. */
export function derived(program: PublicKey, ...seeds: readonly (string | PublicKey)[]): [PublicKey, number] {
  const bytes = seeds.map((seed) => (typeof seed === 'string' ? Buffer.from(seed) : seed.toBuffer()))
  return PublicKey.findProgramAddressSync(bytes, program)
}

/** The address of an owner's associated token account. */
export function associatedAccount(mint: PublicKey, owner: PublicKey): PublicKey {
  return derived(ASSOCIATED_TOKEN_PROGRAM, owner, TOKEN_PROGRAM, mint)[0]
}

/** Bytes that are written field by field, little-endian. */
export interface Fields {
  bytes: Buffer
  key: (offset: number, key: PublicKey) => Fields
  /** An unsigned integer of `size` bytes, by default 8. */
  number: (offset: number, value: bigint | number, size?: number) => Fields
  text: (offset: number, text: string) => Fields
}

/** Zeroed bytes of a size, starting with a discriminator where one is given. */
export function fields(size: number, discriminator?: Buffer): Fields {
  const bytes = Buffer.alloc(size)
  discriminator?.copy(bytes)
  const self: Fields = {
    bytes,
    key: (offset, key) => {
      key.toBuffer().copy(bytes, offset)
      return self
    },
    number: (offset, value, size = 8) => {
      let rest = BigInt(value)
      for (let index = 0; index < size; index++, rest >>= 8n) bytes[offset + index] = Number(rest & 255n)
      return self
    },
    text: (offset, text) => {
      bytes.write(text, offset)
      return self
    },
  }
  return self
}

/** An SPL mint. Without an authority nobody can mint. */
export function mintAccount(
  address: PublicKey,
  mint: { decimals: number; authority: PublicKey | null; supply: bigint },
): SeededAccount {
  const data = fields(MINT_BYTES).number(36, mint.supply).number(44, mint.decimals, 1).number(45, 1, 1)
  if (mint.authority) data.number(0, 1, 4).key(4, mint.authority)
  return account(address, TOKEN_PROGRAM, data.bytes)
}

/** An SPL token account. One of wrapped SOL holds its amount in lamports too, besides its rent. */
export function tokenAccount(address: PublicKey, mint: PublicKey, owner: PublicKey, amount: bigint): SeededAccount {
  const data = fields(TOKEN_ACCOUNT_BYTES).key(0, mint).key(32, owner).number(64, amount).number(108, 1, 1)
  if (!mint.equals(WRAPPED_SOL)) return account(address, TOKEN_PROGRAM, data.bytes)
  data.number(109, 1, 4).number(113, rentFor(TOKEN_ACCOUNT_BYTES))
  return account(address, TOKEN_PROGRAM, data.bytes, amount)
}
