import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { memoize } from '../../kernel/memoize.js'
import { programAddress } from './on-curve.js'

export const TOKEN_PROGRAM_ID = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
export const ASSOCIATED_TOKEN_PROGRAM_ID = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
/** The programs whose accounts hold tokens: SPL Token, and Token-2022. */
export const TOKEN_PROGRAMS: ReadonlySet<string> = new Set([
  TOKEN_PROGRAM_ID.toBase58(),
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
])
/** Who owns a wallet's account. */
export const SYSTEM_PROGRAM = SystemProgram.programId.toBase58()
const MEMO_PROGRAM_ID = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')

/** The size of a token account (spl-token: state::Account::LEN). */
export const TOKEN_ACCOUNT_BYTES = 165
const MINT_BYTES = 82

/** Each takes a twentieth of a millisecond to derive, and a round of payouts asks three times for those of 336 receivers. */
const REMEMBERED_ADDRESSES = 1_024
const KEY_BYTES = 32

/** Where a wallet holds a token: the address that its owner and the mint determine. The owner may be a program's address. */
export function associatedTokenAddress(owner: PublicKey, mint: PublicKey): PublicKey {
  return addressOfSeeds(Buffer.concat([owner.toBuffer(), mint.toBuffer()]).toString('latin1'))
}

const addressOfSeeds = memoize(REMEMBERED_ADDRESSES, (seeds): PublicKey => {
  const bytes = Buffer.from(seeds, 'latin1')
  const [owner, mint] = [bytes.subarray(0, KEY_BYTES), bytes.subarray(KEY_BYTES)]
  return programAddress([owner, TOKEN_PROGRAM_ID.toBuffer(), mint], ASSOCIATED_TOKEN_PROGRAM_ID)
})

/** Creates a wallet's token account where it has none, at the payer's cost (spl-associated-token-account: CreateIdempotent). */
export function createAssociatedTokenAccountIdempotent(accounts: {
  payer: PublicKey
  owner: PublicKey
  mint: PublicKey
}): TransactionInstruction {
  const { payer, owner, mint } = accounts
  return new TransactionInstruction({
    programId: ASSOCIATED_TOKEN_PROGRAM_ID,
    keys: [
      { pubkey: payer, isSigner: true, isWritable: true },
      { pubkey: associatedTokenAddress(owner, mint), isSigner: false, isWritable: true },
      { pubkey: owner, isSigner: false, isWritable: false },
      { pubkey: mint, isSigner: false, isWritable: false },
      { pubkey: SystemProgram.programId, isSigner: false, isWritable: false },
      { pubkey: TOKEN_PROGRAM_ID, isSigner: false, isWritable: false },
    ],
    data: Buffer.from([1]),
  })
}

/** Moves a token between two token accounts; mint and decimals are checked by the program (spl-token: TransferChecked). */
export function transferChecked(transfer: {
  source: PublicKey
  mint: PublicKey
  destination: PublicKey
  owner: PublicKey
  /** In base units. */
  amount: bigint
  decimals: number
}): TransactionInstruction {
  const data = Buffer.alloc(10)
  data[0] = 12
  data.writeBigUInt64LE(transfer.amount, 1)
  data[9] = transfer.decimals
  return new TransactionInstruction({
    programId: TOKEN_PROGRAM_ID,
    keys: [
      { pubkey: transfer.source, isSigner: false, isWritable: true },
      { pubkey: transfer.mint, isSigner: false, isWritable: false },
      { pubkey: transfer.destination, isSigner: false, isWritable: true },
      { pubkey: transfer.owner, isSigner: true, isWritable: false },
    ],
    data,
  })
}

/** Leaves a text in the transaction (spl-memo). */
export function memo(text: string): TransactionInstruction {
  return new TransactionInstruction({ programId: MEMO_PROGRAM_ID, keys: [], data: Buffer.from(text, 'utf8') })
}

/** A token account as its bytes hold it; keys base58, the amount in base units. */
export interface TokenAccount {
  mint: string
  owner: string
  amount: bigint
  state: 'frozen' | 'initialized' | 'uninitialized'
  /** Who may close it in its owner's place; null where the owner may. */
  closeAuthority: string | null
}

/** Reads a token account of the SPL Token program. @returns undefined where the bytes are none */
export function decodeTokenAccount(data: Uint8Array): TokenAccount | undefined {
  if (data.length !== TOKEN_ACCOUNT_BYTES) return undefined
  const bytes = Buffer.from(data)
  const state = (['uninitialized', 'initialized', 'frozen'] as const)[bytes[108] ?? 3]
  if (!state) return undefined
  return {
    mint: new PublicKey(bytes.subarray(0, 32)).toBase58(),
    owner: new PublicKey(bytes.subarray(32, 64)).toBase58(),
    amount: bytes.readBigUInt64LE(64),
    state,
    closeAuthority: bytes.readUInt32LE(129) === 0 ? null : new PublicKey(bytes.subarray(133, 165)).toBase58(),
  }
}

/** A mint as its bytes hold it; the supply in base units. */
export interface TokenMint {
  supply: bigint
  decimals: number
}

/** Reads a mint of the SPL Token program. @returns undefined where the bytes are none */
export function decodeMint(data: Uint8Array): TokenMint | undefined {
  const bytes = Buffer.from(data)
  if (bytes.length !== MINT_BYTES || bytes[45] !== 1) return undefined
  return { supply: bytes.readBigUInt64LE(36), decimals: bytes.readUInt8(44) }
}
