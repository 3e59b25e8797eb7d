import type { BegunAccount } from '../store/begun-accounts.js'
import type { AuditedTreasury } from './audited-treasury.js'
import { COIN_PLACE, type TreasuryTransfer } from './payout-chain.js'

/**
 * Those of an account's transfers that went between it and another account of ours, which changes nothing in the books. A payout whose
 * receiver is an account of ours is none: its books have it as gone.
 */
export async function betweenOurs(
  { deps, chain, accounts }: Pick<AuditedTreasury, 'deps' | 'chain' | 'accounts'>,
  account: string,
  transfers: readonly TreasuryTransfer[],
): Promise<readonly TreasuryTransfer[]> {
  const begunOf = (address: string): BegunAccount | undefined =>
    accounts.find((one) => one.account.toLowerCase() === address.toLowerCase())?.begun
  const own = begunOf(account)
  const internal: TreasuryTransfer[] = []
  for (const transfer of transfers) {
    const { hash, direction, currency } = transfer
    const other = begunOf(transfer.other)
    if (!own || !other || transfer.blockNumber <= sharedAbove(own, other, transfer)) continue
    const to = { receiver: account, currency, hash }
    if (direction === 'in' && (await deps.treasuryBooks.isPayoutTo(chain.name, to))) continue
    internal.push(transfer)
  }
  return internal
}

/**
 * Above which block a transfer between two accounts is no owner's. What an account held when it was first compared is the owner's, and so
 * is what it had got by then, but for the tokens that it had from those that were compared before it: of these it is told apart.
 */
function sharedAbove(one: BegunAccount, other: BegunAccount, { logIndex }: TreasuryTransfer): number {
  const later = one.firstBlock > other.firstBlock ? one : other
  const areTogether = one.firstBlock === other.firstBlock
  return logIndex === COIN_PLACE || areTogether ? later.firstBlock : later.sharedFrom
}
