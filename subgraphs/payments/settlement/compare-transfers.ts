import { foundPayoutEntry, missingPayoutEntry, unknownTransferEntry, HOUSE } from '../model/house-entries.js'
import type { BookedPayout } from '../store/treasury-books.js'
import type { TreasuryTransfer } from './payout-chain.js'
import type { AuditedTreasury } from './audited-treasury.js'
import { reportDifference } from './report-difference.js'

/**
 * Compares the payouts that are booked with the transfers that the chain shows, each with one of its own. A transfer that
 * nothing explains, and a payout that the chain does not show, go into suspense.
 * @param open the differences of the chain, as `kind:subject`
 */
export async function compareTransfers(
  treasury: AuditedTreasury,
  from: number,
  open: ReadonlySet<string>,
): Promise<void> {
  const { deps, chain, audit, of, block } = treasury
  if (from > block) return
  const left = [...(await audit.transfers(chain, from, block))]
  for (const payout of await deps.treasuryBooks.payouts(of, from, block)) {
    // Of the coin's transfers there are no logs; the balance tells of them.
    if (payout.currency === chain.nativeCoin.symbol) continue
    const index = left.findIndex((transfer) => isOf(transfer, payout))
    if (index === -1) await reportMissing(treasury, payout)
    else {
      left.splice(index, 1)
      await closeMissing(treasury, payout, open)
    }
  }
  for (const transfer of left) await reportUnknown(treasury, transfer)
}

function isOf({ hash, direction, other, amount, currency }: TreasuryTransfer, payout: BookedPayout): boolean {
  const isSame = direction === 'out' && currency === payout.currency && amount === payout.amount
  return isSame && hash === payout.hash && other.toLowerCase() === payout.receiver.toLowerCase()
}

const subjectOf = ({ chain }: AuditedTreasury, { paymentId, splitIndex }: BookedPayout): string =>
  `${chain.name}:${paymentId}:${splitIndex}`

async function reportMissing(treasury: AuditedTreasury, payout: BookedPayout): Promise<void> {
  const { deps, chain } = treasury
  const { amount, currency, hash, blockNumber, receiver } = payout
  const details = `${hash} is booked in block ${blockNumber}, and does not pay ${receiver} there`
  const found = { kind: 'payout_missing', expected: amount, actual: '0', currency, details } as const
  const entry = missingPayoutEntry(chain.name, payout, { amount, currency })
  await reportDifference(deps, { ...found, scope: `chain:${chain.name}`, subject: subjectOf(treasury, payout) }, entry)
}

/** The chain shows a payout that it did not show before. */
async function closeMissing(treasury: AuditedTreasury, payout: BookedPayout, open: ReadonlySet<string>): Promise<void> {
  const { deps, chain } = treasury
  const subject = subjectOf(treasury, payout)
  if (!open.has(`payout_missing:${subject}`)) return
  const entry = foundPayoutEntry(chain.name, payout, { amount: payout.amount, currency: payout.currency })
  await deps.ledger.bookOnce({ ...HOUSE, at: deps.clock.now() }, entry, (em) =>
    deps.differences.close(em, 'payout_missing', subject),
  )
}

async function reportUnknown({ deps, chain }: AuditedTreasury, transfer: TreasuryTransfer): Promise<void> {
  const { hash, logIndex, direction, other, amount, currency, blockNumber } = transfer
  const isPaidTwice =
    direction === 'out' && (await deps.treasuryBooks.wasPaid(chain.name, { receiver: other, currency, amount }))
  const details = `${hash} in block ${blockNumber}: ${direction === 'in' ? 'from' : 'to'} ${other}`
  await reportDifference(
    deps,
    {
      kind: isPaidTwice ? 'paid_twice' : 'unknown_transfer',
      subject: `${chain.name}:${hash}:${logIndex}`,
      scope: `chain:${chain.name}`,
      expected: '0',
      actual: direction === 'in' ? amount : `-${amount}`,
      currency,
      details,
    },
    unknownTransferEntry(chain.name, { hash, logIndex, direction }, { amount, currency }),
  )
}
