import type { Chain } from '../../../chains/chain.js'
import { shortReference } from '../../../chains/evm/carried-references.js'
import { paymentReference } from '../../../chains/evm/split.js'
import { paymentKey } from '../../../chains/solana/transfer.js'

/**
 * What the treasury's transactions on a chain name a payment by: on EVM chains the first 16 bytes of its reference, on Solana its key, which
 * a batch of several payouts does not have.
 */
export function referenceOn({ family }: Pick<Chain, 'family'>, paymentId: string): string {
  return family === 'solana' ? paymentKey(paymentId) : shortReference(paymentReference(paymentId))
}
