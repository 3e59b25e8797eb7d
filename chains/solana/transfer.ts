import { createHash } from 'node:crypto'
import {
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  type TransactionInstruction,
} from '@solana/web3.js'
import type { Asset } from '../chain.js'
import { associatedTokenAddress, createAssociatedTokenAccountIdempotent, memo, transferChecked } from './token.js'
import { MAX_WIRE_BYTES } from './wire.js'

/** What one receiver gets, in base units. */
export interface Share {
  wallet: string
  amount: bigint
  /** Its token account is there, so that nothing has to create it. Where that is not known it is created if it is missing. */
  hasAccount?: boolean
}

/** A payment from one wallet to several, in one transaction. */
export interface Transfer {
  /** Owns the money and pays the fee; base58. */
  from: string
  asset: Asset
  shares: readonly Share[]
  /** The text that says what it is for, and the key by which it is found; see `paymentMemo` and `paymentKey`. */
  memo: string
  reference: string
}

/** What a transaction may use and pays for it: compute units, and micro-lamports for each. */
export interface ComputeBudget {
  units: number
  microLamports: number
}

/** The memo of a payment's transaction. */
export function paymentMemo(paymentId: string): string {
  return `pay:${paymentId}`
}

/** The key by which a payment's transaction is found (Solana Pay: reference): SHA-256 of `payment:` and its id, base58. */
export function paymentKey(paymentId: string): string {
  return new PublicKey(createHash('sha256').update(`payment:${paymentId}`).digest()).toBase58()
}

/** The shares with each wallet once: a wallet that is named twice gets both in one transfer. Zero shares are left out. */
export function mergeShares(shares: readonly Share[]): Share[] {
  const merged = new Map<string, Share>()
  for (const share of shares)
    merged.set(share.wallet, { ...share, amount: (merged.get(share.wallet)?.amount ?? 0n) + share.amount })
  return [...merged.values()].filter(({ amount }) => amount > 0n)
}

/**
 * The instructions of a transfer: compute budget, for each receiver its token account (created where it is missing) and a
 * checked transfer, then the memo. The reference is an additional read-only key of the first transfer.
 */
export function transferInstructions(transfer: Transfer, budget: ComputeBudget): TransactionInstruction[] {
  const transfers = mergeShares(transfer.shares).map((share) => shareInstructions(transfer, share))
  const last = transfers[0]?.at(-1)
  last?.keys.push({ pubkey: new PublicKey(transfer.reference), isSigner: false, isWritable: false })
  return [
    ComputeBudgetProgram.setComputeUnitLimit({ units: budget.units }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: budget.microLamports }),
    ...transfers.flat(),
    memo(transfer.memo),
  ]
}

function shareInstructions(
  { from, asset }: Transfer,
  { wallet, amount, hasAccount = false }: Share,
): TransactionInstruction[] {
  const payer = new PublicKey(from)
  const owner = new PublicKey(wallet)
  if (asset.kind === 'native') {
    return [SystemProgram.transfer({ fromPubkey: payer, toPubkey: owner, lamports: amount })]
  }
  const mint = new PublicKey(asset.address)
  return [
    ...(hasAccount ? [] : [createAssociatedTokenAccountIdempotent({ payer, owner, mint })]),
    transferChecked({
      source: associatedTokenAddress(payer, mint),
      mint,
      destination: associatedTokenAddress(owner, mint),
      owner: payer,
      amount,
      decimals: asset.decimals,
    }),
  ]
}

/** An unsigned transaction's bytes; the same input gives the same bytes. */
export interface UnsignedWire {
  /** 64 zero bytes stand where the signature goes. */
  bytes: Uint8Array
  messageBytes: Uint8Array
}

/**
 * Compiles instructions to an unsigned transaction in the legacy format, which every wallet reads.
 * @throws RangeError where it is larger than a packet
 */
export function compileWire(
  instructions: readonly TransactionInstruction[],
  feePayer: string,
  blockhash: string,
): UnsignedWire {
  const message = serialize({ payerKey: new PublicKey(feePayer), recentBlockhash: blockhash, instructions })
  const bytes = Buffer.concat([Buffer.from([1]), Buffer.alloc(64), message])
  if (bytes.length > MAX_WIRE_BYTES) throw tooLarge(`${bytes.length} bytes`)
  return { bytes, messageBytes: message }
}

/**
 * web3.js writes messages into a buffer of 2048 bytes and throws a RangeError of its own beyond. `Transaction` would compare the texts of all
 * keys with each other, which takes 5 ms for seven receivers; this looks each key up once.
 */
function serialize(terms: {
  payerKey: PublicKey
  recentBlockhash: string
  instructions: readonly TransactionInstruction[]
}): Buffer {
  try {
    const message = new TransactionMessage({ ...terms, instructions: [...terms.instructions] }).compileToLegacyMessage()
    return message.serialize()
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge('more than 2048 bytes')
    throw error
  }
}

function tooLarge(size: string): RangeError {
  return new RangeError(`the transaction is too large: ${size}, at most ${MAX_WIRE_BYTES}`)
}
