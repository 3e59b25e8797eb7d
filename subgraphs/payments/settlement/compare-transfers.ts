import { foundPayoutEntry, missingPayoutEntry, unknownTransferEntry, HOUSE } from '../model/house-entries.js'
import { amountOf, unitsOf } from '../model/signed-amount.js'
import type { KnownTransfer } from '../store/differences.js'
import type { RefundedPayout } from '../store/refunded-payouts.js'
import type { BookedPayout } from '../store/treasury-books.js'
import type { TreasuryTransfer } from './payout-chain.js'
import type { AuditedTreasury } from './audited-treasury.js'
import { betweenOurs } from './between-accounts.js'
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
    if (takeOff(left, payout)) await closeMissing(treasury, payout, open)
    else await reportMissing(treasury, payout)
  }
  const internal = await betweenOurs(treasury, of.account, left)
  for (const transfer of left.filter((one) => !internal.includes(one))) {
    // An operator is asked already whom it has paid.
    const isUndecided = await deps.treasuryBooks.isUndecided(chain.name, transfer.hash)
    const isOwners = await deps.ownerTransfers.isDone(chain.name, transfer.hash)
    if (!isUndecided && !isOwners) await reportUnknown(treasury, transfer)
  }
}

/**
 * Takes a payout off the transfers that nothing explains yet. Returns whether there is one: of its own amount, or on Solana, where
 * a receiver that is named twice gets both in one, of more.
 */
function takeOff(left: TreasuryTransfer[], payout: BookedPayout): boolean {
  const own = left.findIndex((transfer) => isOf(transfer, payout) && transfer.amount === payout.amount)
  const index = own === -1 ? left.findIndex((transfer) => isOf(transfer, payout) && covers(transfer, payout)) : own
  const transfer = left[index]
  if (!transfer) return false
  const rest = amountOf(unitsOf(transfer.amount) - unitsOf(payout.amount))
  left.splice(index, 1, ...(rest === '0' ? [] : [{ ...transfer, amount: rest }]))
  return true
}

function isOf({ hash, direction, other, currency }: TreasuryTransfer, payout: BookedPayout): boolean {
  const isSame = direction === 'out' && currency === payout.currency && hash === payout.hash
  return isSame && other.toLowerCase() === payout.receiver.toLowerCase()
}

const covers = (transfer: TreasuryTransfer, payout: BookedPayout): boolean =>
  unitsOf(transfer.amount) >= unitsOf(payout.amount)

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

async function reportUnknown(treasury: AuditedTreasury, transfer: TreasuryTransfer): Promise<void> {
  const { deps, chain } = treasury
  const { hash, logIndex, direction, other, amount, currency, blockNumber } = transfer
  const subject = `${chain.name}:${hash}:${logIndex}`
  const known = await deps.differences.transferKinds(subject)
  const refundedPayout = await refundedPayoutOf(treasury, transfer, subject)
  const kind = await kindOf(treasury, transfer, { known, isRefunded: refundedPayout !== undefined })
  const why =
    refundedPayout &&
    `, who was to get as much as receiver ${refundedPayout.splitIndex} of payment ${refundedPayout.paymentId} before its payer was refunded, and had it by then, as after a restore`
  const details = `${hash} in block ${blockNumber}: ${direction === 'in' ? 'from' : 'to'} ${other}${why ?? ''}`
  await reportDifference(
    deps,
    {
      kind,
      subject,
      scope: `chain:${chain.name}`,
      expected: '0',
      actual: direction === 'in' ? amount : `-${amount}`,
      currency,
      details,
      refundedPayout,
    },
    unknownTransferEntry(chain.name, { hash, logIndex, direction }, { amount, currency }),
  )
  const isRenamed = known.some((one) => one.isOpen && one.kind !== kind)
  if (isRenamed) await deps.ledger.transaction((em) => deps.differences.close(em, 'unknown_transfer', subject))
}

/** The payout that it may have been, which a refund has taken whole since; undefined where there is none that was owed then. */
async function refundedPayoutOf(
  { deps, chain, audit }: AuditedTreasury,
  { hash, direction, other: receiver, currency, amount }: TreasuryTransfer,
  subject: string,
): Promise<RefundedPayout | undefined> {
  const minedAt = direction === 'out' ? await audit.minedAt(chain, hash) : undefined
  if (!minedAt) return undefined
  return deps.treasuryBooks.refundedPayout(chain.name, { subject, receiver, currency, amount, minedAt })
}

/**
 * What a transfer is called. Its receiver may be paid the same again later, and then the transfer has paid it twice, as it has where its payer
 * was refunded of it; but it is asked about once: what somebody has explained stays explained, as the second time would book it again.
 */
async function kindOf(
  { deps, chain }: AuditedTreasury,
  { direction, other: receiver, amount, currency }: TreasuryTransfer,
  { known, isRefunded }: { known: readonly KnownTransfer[]; isRefunded: boolean },
): Promise<KnownTransfer['kind']> {
  if (known.some(({ kind }) => kind === 'paid_twice')) return 'paid_twice'
  if (direction === 'in' || known.some(({ isOpen }) => !isOpen)) return 'unknown_transfer'
  const isPaidTwice = isRefunded || (await deps.treasuryBooks.wasPaid(chain.name, { receiver, currency, amount }))
  return isPaidTwice ? 'paid_twice' : 'unknown_transfer'
}
