import { ComputeBudgetInstruction, ComputeBudgetProgram, SystemProgram, Transaction } from '@solana/web3.js'
import type { TransactionInstruction } from '@solana/web3.js'
import type { SolanaClient } from './client.js'
import { HIGHEST_PRICE, recentPrice } from './compute-budget.js'
import type { SolanaSigner } from './signer.js'
import { signInstructions, type CappedChain } from './transfer-from.js'
import type { SignedSolanaTransaction } from './verify-signed.js'

/** What advancing one nonce uses at most, in compute units (solana-system-program: DEFAULT_COMPUTE_UNITS is 150). */
const ADVANCE_UNITS = 2_000

/**
 * Signs the same transaction at a higher price, living by the same nonce, so that leaders prefer it.
 * @param raw of our own signing: base64 wire
 * @returns undefined where it offers as much as it may
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function raisePrice(
  client: SolanaClient,
  chain: CappedChain,
  signer: SolanaSigner,
  raw: string,
): Promise<SignedSolanaTransaction | undefined> {
  const { instructions, nonce } = read(raw)
  const old = priceIn(instructions)
  const most = Math.min(chain.computePriceMaxMicroLamports ?? HIGHEST_PRICE, HIGHEST_PRICE)
  if (old === undefined || old >= most) return undefined
  const typical = await recentPrice(client, writtenIn(instructions))
  const price = Math.min(Math.max(typical, Math.ceil(old * 1.5)), most)
  const raised = instructions.map((one) =>
    isPrice(one) ? ComputeBudgetProgram.setComputeUnitPrice({ microLamports: price }) : one,
  )
  return signInstructions(signer, raised, nonce)
}

/**
 * Signs a transaction that moves nothing and uses up the same nonce, at no lower price: where it lands, the other never can.
 * @param raw of our own signing: base64 wire
 */
export function useUpNonce(signer: SolanaSigner, raw: string): Promise<SignedSolanaTransaction> {
  const { instructions, nonce } = read(raw)
  const advance = instructions.filter(isAdvance).slice(0, 1)
  const price = Math.min(Math.ceil((priceIn(instructions) ?? 0) * 1.5), HIGHEST_PRICE)
  const budget = [
    ComputeBudgetProgram.setComputeUnitLimit({ units: ADVANCE_UNITS }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: price }),
  ]
  return signInstructions(signer, [...advance, ...budget], nonce)
}

/** Whether a transaction of our own signing moves nothing, and only uses up its nonce. */
export function movesNothing(raw: string): boolean {
  return read(raw).instructions.every((one) => isAdvance(one) || isBudget(one))
}

/** The accounts of the durable nonces that a transaction of our own signing uses up. */
export function usedUpNonces(raw: string): string[] {
  const advances = read(raw).instructions.filter(isAdvance)
  return advances.flatMap(({ keys: [account] }) => account?.pubkey.toBase58() ?? [])
}

/** Its instructions, and the nonce that it lives by, base58. */
function read(raw: string): { instructions: readonly TransactionInstruction[]; nonce: string } {
  const { instructions, recentBlockhash = '' } = Transaction.from(Buffer.from(raw, 'base64'))
  return { instructions, nonce: recentBlockhash }
}

/** SystemInstruction::AdvanceNonceAccount. */
const ADVANCE = 4

function isAdvance({ programId, data }: TransactionInstruction): boolean {
  return programId.equals(SystemProgram.programId) && data.length === 4 && data.readUInt32LE(0) === ADVANCE
}

function isBudget({ programId }: TransactionInstruction): boolean {
  return programId.equals(ComputeBudgetProgram.programId)
}

function isPrice(instruction: TransactionInstruction): boolean {
  return isBudget(instruction) && ComputeBudgetInstruction.decodeInstructionType(instruction) === 'SetComputeUnitPrice'
}

/** In micro-lamports for a unit. */
function priceIn(instructions: readonly TransactionInstruction[]): number | undefined {
  const price = instructions.find(isPrice)
  return price && Number(ComputeBudgetInstruction.decodeSetComputeUnitPrice(price).microLamports)
}

function writtenIn(instructions: readonly TransactionInstruction[]): string[] {
  const written = instructions.flatMap(({ keys }) => keys.filter(({ isWritable }) => isWritable))
  return [...new Set(written.map(({ pubkey }) => pubkey.toBase58()))]
}
