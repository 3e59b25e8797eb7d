import bs58 from 'bs58'
import type { SolanaChain } from '../chain.js'
import { aboveCap } from '../fee-cap.js'
import { readLatestBlockhash } from './blockhash.js'
import type { SolanaClient } from './client.js'
import { estimateBudget } from './compute-budget.js'
import type { SolanaSigner } from './signer.js'
import { compileWire, transferInstructions, type ComputeBudget, type Transfer } from './transfer.js'
import type { SignedSolanaTransaction } from './verify-signed.js'

/** Everything that a payout's bytes depend on, but for the signer: write it down, and signing again gives the same bytes. */
export interface PayoutTerms {
  transfer: Transfer
  budget: ComputeBudget
  blockhash: string
  lastValidBlockHeight: number
}

/**
 * Prepares a payout of the signer's to several receivers: it has run without error on the present state, and costs no more
 * than the deployment pays there.
 * @throws AppError `broadcast_simulation_failed` where it would fail (too little money, say), `provider_unavailable`,
 *   `provider_timeout`; RangeError where the receivers do not fit into one transaction
 */
export async function preparePayout(
  client: SolanaClient,
  chain: Pick<SolanaChain, 'name' | 'computePriceMaxMicroLamports'>,
  transfer: Transfer,
): Promise<PayoutTerms> {
  const { blockhash, lastValidBlockHeight } = await readLatestBlockhash(client)
  const budget = await estimateBudget(client, transfer, blockhash)
  const { microLamports } = budget
  if (microLamports > (chain.computePriceMaxMicroLamports ?? microLamports))
    throw aboveCap(`a compute unit on ${chain.name} costs ${microLamports} micro-lamports`)
  return { transfer, budget, blockhash, lastValidBlockHeight }
}

/**
 * Signs a payout. Nothing is read or sent here; the same terms give the same bytes (RFC 8032), so signing again pays once.
 * Store signature and raw, then relay.
 * @throws RangeError where the transfer is not from the signer's account, or does not fit into one transaction
 */
export async function signPayout(signer: SolanaSigner, terms: PayoutTerms): Promise<SignedSolanaTransaction> {
  const { transfer, budget, blockhash } = terms
  if (transfer.from !== signer.address) throw new RangeError("the payout is not from the signer's account")
  const { messageBytes } = compileWire(transferInstructions(transfer, budget), signer.address, blockhash)
  const signature = await signer.sign(messageBytes)
  const raw = Buffer.concat([Buffer.from([1]), signature, messageBytes]).toString('base64')
  return { signature: bs58.encode(signature), raw }
}
