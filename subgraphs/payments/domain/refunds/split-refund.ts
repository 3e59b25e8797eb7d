import { isPositive, subtract } from '../../../../kernel/money.js'
import {
  feeGivenBackEntry,
  feeKeptEntry,
  refundFromSplitEntry,
  splitRefundFailedEntry,
  type LedgerEntry,
} from '../../model/ledger-entries.js'
import { sharesOfRefund } from '../../model/receiver-shares.js'
import { feeOfRefund } from '../../model/refund-rules.js'
import type { StoredRefund } from '../../store/charge.entity.js'
import { isSharedByProvider, type ChargeUpdate } from '../charges/application.js'

type SplitRefund = Pick<StoredRefund, 'id' | 'amount' | 'platformFee'>

/** What of a refund the platform and the receivers bear, where the provider has shared the money out; it is kept with the refund. */
export function partsOfRefund(
  { rail, payment, record }: Pick<ChargeUpdate, 'rail' | 'payment' | 'record'>,
  received: { id: string; amount: string },
  amount: string,
): Pick<StoredRefund, 'platformFee' | 'shares'> {
  const { charge, refunds } = record
  const platformFee = feeOfRefund(charge.platformFee, received, refunds, amount)
  const isAccepted = record.receivedPayments.some(({ id, outcome }) => id === received.id && outcome === 'accepted')
  if (!isAccepted || !isSharedByProvider({ rail, payment })) return { platformFee, shares: null }
  const sharedOut = { receivers: payment.splitPaymentConfig, received, platformFee: charge.platformFee }
  return { platformFee, shares: sharesOfRefund(sharedOut, refunds, { amount, platformFee }) }
}

/** What a refund costs those whom the provider has shared the money out to, and the platform its fee. */
export function splitRefundEntries(rail: string, refund: SplitRefund, currency: string): LedgerEntry[] {
  return entriesOf(
    refund,
    currency,
    (part) => refundFromSplitEntry(rail, refund.id, part),
    (fee) => feeGivenBackEntry(rail, refund.id, fee),
  )
}

/** The same the other way, where the provider has refused it. */
export function splitRefundFailedEntries(rail: string, refund: SplitRefund, currency: string): LedgerEntry[] {
  return entriesOf(
    refund,
    currency,
    (part) => splitRefundFailedEntry(rail, refund.id, part),
    (fee) => feeKeptEntry(rail, refund.id, fee),
  )
}

type EntryOf = (money: { amount: string; currency: string }) => LedgerEntry

function entriesOf(
  { amount, platformFee }: SplitRefund,
  currency: string,
  ofReceivers: EntryOf,
  ofPlatform: EntryOf,
): LedgerEntry[] {
  const part = subtract(amount, platformFee ?? '0')
  return [
    ...(isPositive(part) ? [ofReceivers({ amount: part, currency })] : []),
    ...(platformFee == null ? [] : [ofPlatform({ amount: platformFee, currency })]),
  ]
}
