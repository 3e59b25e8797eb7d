import { createHash } from 'node:crypto'
import { PublicKey } from '@solana/web3.js'
import { protocolError, type ProviderError } from '../../../kernel/provider-error.js'
import type { ChainAccount } from './provider.js'

/** The first eight bytes of the SHA-256 of a name: how Anchor programs tell accounts and instructions apart. */
export function discriminator(name: string): Buffer {
  return createHash('sha256').update(name).digest().subarray(0, 8)
}

/** Reads fields of an account, which are little-endian and not aligned. */
export interface AccountReader {
  /** An unsigned integer of `bytes` bytes. */
  number: (offset: number, bytes: 1 | 2 | 4 | 8 | 16) => bigint
  key: (offset: number) => PublicKey
}

/**
 * A reader of an account that has to be there, belong to `owner`, have at least `length` bytes and start with the
 * discriminator of `name` (`account:Reserve`); without a name the start is not looked at.
 * @throws ProviderError of kind `protocol`
 */
export function readAccount(
  provider: string,
  account: ChainAccount | null | undefined,
  expected: { what: string; owner: PublicKey; length: number; name?: string },
): AccountReader {
  const refuse = (problem: string): ProviderError =>
    protocolError(provider, `the account of ${expected.what} ${problem}`)
  if (!account) throw refuse('is not on the chain')
  if (!account.owner.equals(expected.owner)) throw refuse('belongs to another program')
  if (account.data.length < expected.length) throw refuse('is too short')
  const { data } = account
  if (expected.name !== undefined && !data.subarray(0, 8).equals(discriminator(expected.name))) {
    throw refuse('is of another kind')
  }
  return {
    number: (offset, bytes) => readUnsigned(data, offset, bytes),
    key: (offset) => new PublicKey(data.subarray(offset, offset + 32)),
  }
}

function readUnsigned(data: Buffer, offset: number, bytes: number): bigint {
  if (bytes <= 4) return BigInt(data.readUIntLE(offset, bytes))
  const low = data.readBigUInt64LE(offset)
  return bytes === 8 ? low : low | (data.readBigUInt64LE(offset + 8) << 64n)
}
