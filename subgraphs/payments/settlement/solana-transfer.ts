import { findToken, type SolanaChain } from '../../../chains/chain.js'
import { paymentKey, paymentMemo, type Transfer } from '../../../chains/solana/transfer.js'
import { toBaseUnits } from '../../../kernel/money.js'
import type { Payout } from '../store/payout.entity.js'

/**
 * What a batch of payouts is on Solana. One of several is known by its own id, one payout by its payment's. The memo tells
 * attempts apart: two transactions of the same bytes would be one.
 * @param haveAccounts whether all receivers have their token accounts, so that nothing creates them
 * @returns undefined for one without payouts, which prepares for batches, and where the token is not on the chain's list any more
 */
export function transferOf(
  chain: SolanaChain,
  from: string,
  { batchId, payouts, haveAccounts = false }: { batchId: string; payouts: readonly Payout[]; haveAccounts?: boolean },
): Transfer | undefined {
  const [first] = payouts
  const asset = first && findToken(chain, first.symbol)
  if (!first || !asset) return undefined
  const shares = payouts.map(({ receiver, amount }) => ({
    wallet: receiver,
    amount: toBaseUnits(amount, asset.decimals),
    hasAccount: haveAccounts,
  }))
  const { paymentId, splitIndex, attempt } = first
  const memo = payouts.length > 1 ? `batch:${batchId}` : `${paymentMemo(paymentId)}#${splitIndex}.${attempt + 1}`
  return { from, asset, shares, memo, reference: paymentKey(payouts.length > 1 ? batchId : paymentId) }
}
