import { PublicKey, type TransactionInstruction } from '@solana/web3.js'
import bs58 from 'bs58'
import type { SolanaChain } from '../chain.js'
import { aboveCap } from '../fee-cap.js'
import type { SolanaClient } from './client.js'
import { estimateBudget, recentPrice } from './compute-budget.js'
import { advanceNonce, type DurableNonce } from './durable-nonces.js'
import type { SolanaSigner } from './signer.js'
import { associatedTokenAddress } from './token.js'
import { compileWire, transferInstructions, type ComputeBudget, type Transfer } from './transfer.js'
import type { SignedSolanaTransaction } from './verify-signed.js'

/** Everything that a payout's bytes depend on, but for the signer: write it down, and signing again gives the same bytes. */
export interface PayoutTerms {
  transfer: Transfer
  budget: ComputeBudget
  /** What it lives by: of all that have the same nonce one lands at most. */
  nonce: Pick<DurableNonce, 'account' | 'value'>
}

/** What the deployment pays on a chain. */
export type CappedChain = Pick<SolanaChain, 'name' | 'computePriceMaxMicroLamports'>

/**
 * Prepares a payout of the signer's to several receivers: it has run without error on the present state, and costs no more
 * than the deployment pays there.
 * @param price micro-lamports for a compute unit, where they were read before: see `readSourcePrice`
 * @throws AppError `broadcast_simulation_failed` where it would fail (too little money, say), `provider_unavailable`,
 *   `provider_timeout`; RangeError where the receivers do not fit into one transaction
 */
export async function preparePayout(
  client: SolanaClient,
  chain: CappedChain,
  transfer: Transfer,
  nonce: PayoutTerms['nonce'],
  price?: number,
): Promise<PayoutTerms> {
  const first = [advanceNonce(transfer.from, nonce.account)]
  const budget = await estimateBudget(client, transfer, nonce.value, { first, ...(price !== undefined && { price }) })
  const { microLamports } = budget
  if (microLamports > (chain.computePriceMaxMicroLamports ?? microLamports))
    throw aboveCap(`a compute unit on ${chain.name} costs ${microLamports} micro-lamports`)
  return { transfer, budget, nonce }
}

/**
 * What a compute unit costs transactions from an account, in micro-lamports: leaders ask more of those that write to what many write
 * to, which of a payout's accounts are its own.
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export function readSourcePrice(
  client: SolanaClient,
  { from, asset }: Pick<Transfer, 'from' | 'asset'>,
): Promise<number> {
  const owner = new PublicKey(from)
  const held = asset.kind === 'native' ? [] : [associatedTokenAddress(owner, new PublicKey(asset.address)).toBase58()]
  return recentPrice(client, [from, ...held])
}

/**
 * Signs a payout. Nothing is read or sent here; the same terms give the same bytes (RFC 8032), so signing again pays once.
 * Store signature and raw, then relay.
 * @throws RangeError where the transfer is not from the signer's account, or does not fit into one transaction
 */
export async function signPayout(signer: SolanaSigner, terms: PayoutTerms): Promise<SignedSolanaTransaction> {
  const { transfer, budget, nonce } = terms
  if (transfer.from !== signer.address) throw new RangeError("the payout is not from the signer's account")
  const advance = advanceNonce(signer.address, nonce.account)
  return signInstructions(signer, [advance, ...transferInstructions(transfer, budget)], nonce.value)
}

/**
 * Signs a transaction that the signer pays for and nobody else has to sign.
 * @param lifetime a recent blockhash, or the value of the nonce that its first instruction advances; base58
 * @throws RangeError where it is larger than a packet
 */
export async function signInstructions(
  signer: SolanaSigner,
  instructions: readonly TransactionInstruction[],
  lifetime: string,
): Promise<SignedSolanaTransaction> {
  const { messageBytes } = compileWire(instructions, signer.address, lifetime)
  const signature = await signer.sign(messageBytes)
  const raw = Buffer.concat([Buffer.from([1]), signature, messageBytes]).toString('base64')
  return { signature: bs58.encode(signature), raw }
}
