import { type PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { addressText } from '../../../chains/solana/address-text.js'
import {
  associatedTokenAddress,
  createAssociatedTokenAccountIdempotent,
  decodeTokenAccount,
  TOKEN_PROGRAM_ID,
  type TokenAccount,
} from '../../../chains/solana/token.js'
import { validationError } from '../../../kernel/errors.js'
import type { ChainAccount } from '../providers/provider.js'

/** A wallet's own token account for a mint, there or not. */
export interface Holding {
  wallet: PublicKey
  mint: PublicKey
  address: PublicKey
  exists: boolean
  /** Whether the wallet may close it, and loses nothing of its own by that but what a transaction of ours has brought. */
  isOursToClose: boolean
  /** In base units; 0 where there is none. */
  amount: bigint
}

/**
 * Reads a wallet's token account. The protocols do not check whose account receives, so it is checked here: the account
 * at the wallet's address can have been given to another owner.
 * @throws validation_error on `wallet` where the account is not the wallet's own, of another mint or frozen
 */
export function holdingOf(wallet: PublicKey, mint: PublicKey, account: ChainAccount | null | undefined): Holding {
  const token = readOwn(wallet, mint, account)
  const holding = { wallet, mint, address: associatedTokenAddress(wallet, mint) }
  if (token === null) return { ...holding, exists: false, isOursToClose: true, amount: 0n }
  if (token?.state !== 'initialized') throw validationError([{ field: 'wallet', message: NOT_ITS_OWN }])
  const isOursToClose = token.amount === 0n && [null, addressText(wallet)].includes(token.closeAuthority)
  return { ...holding, exists: true, isOursToClose, amount: token.amount }
}

/** What is said where the account at a wallet's address is another one's. */
export const NOT_ITS_OWN = 'does not control its own token account'

/** How much a wallet holds of a mint, frozen or not, in base units; undefined where the account at its address is not the wallet's. */
export function heldBy(
  wallet: PublicKey,
  mint: PublicKey,
  account: ChainAccount | null | undefined,
): bigint | undefined {
  const token = readOwn(wallet, mint, account)
  return token === null ? 0n : token?.amount
}

/** The token account at a wallet's address; null where there is none, undefined where it is another one's, or of another mint. */
function readOwn(
  wallet: PublicKey,
  mint: PublicKey,
  account: ChainAccount | null | undefined,
): TokenAccount | null | undefined {
  // An address that only ever got lamports is as good as none: creating the account takes it over.
  if (!account || account.owner.equals(SystemProgram.programId)) return null
  const token = account.owner.equals(TOKEN_PROGRAM_ID) ? decodeTokenAccount(account.data) : undefined
  return token?.owner === addressText(wallet) && token.mint === addressText(mint) ? token : undefined
}

/** Creates the account where it is missing, at the wallet's cost. */
export function createIfMissing({ wallet, mint, exists }: Holding): TransactionInstruction[] {
  return exists ? [] : [createAssociatedTokenAccountIdempotent({ payer: wallet, owner: wallet, mint })]
}

/** Moves SOL into the wallet's account of wrapped SOL, which has to be there. */
export function wrapSol({ wallet, address }: Holding, lamports: bigint): TransactionInstruction[] {
  return [
    SystemProgram.transfer({ fromPubkey: wallet, toPubkey: address, lamports }),
    // SyncNative: the token program takes notice of the lamports.
    new TransactionInstruction({
      programId: TOKEN_PROGRAM_ID,
      data: Buffer.from([17]),
      keys: [{ pubkey: address, isSigner: false, isWritable: true }],
    }),
  ]
}

/** Turns all of the wallet's wrapped SOL back into SOL, with the account's rent. */
export function unwrapSol({ wallet, address }: Holding): TransactionInstruction {
  // CloseAccount
  return new TransactionInstruction({
    programId: TOKEN_PROGRAM_ID,
    data: Buffer.from([9]),
    keys: [
      { pubkey: address, isSigner: false, isWritable: true },
      { pubkey: wallet, isSigner: false, isWritable: true },
      { pubkey: wallet, isSigner: true, isWritable: false },
    ],
  })
}
