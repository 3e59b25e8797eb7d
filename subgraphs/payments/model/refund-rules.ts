import { createHash } from 'node:crypto'
import { compare, fromBaseUnits, isPositive, subtract, sum, toBaseUnits } from '../../../kernel/money.js'
import type { ChargeState, ReceivedPayment, Refund, StoredRefundStatus } from './charge.js'
import type { PaymentStatus } from './payment-status.js'
import { FIAT_DECIMALS } from './proportion.js'

/** Why money is not taken for a payment but refunded. */
export const RETURN_REASONS = [
  'amount_mismatch',
  'paid_late',
  'paid_twice',
  'charge_replaced',
  'payer_mismatch',
] as const
export type ReturnReason = (typeof RETURN_REASONS)[number]

export function isReturnReason(word: string): word is ReturnReason {
  return RETURN_REASONS.some((reason) => reason === word)
}

/**
 * Whether money that came for a charge pays its payment. Only the exact amount does, in time, for the charge that the
 * payment waits for now; what comes besides is refunded whole, because the rate of a lapsed quote holds no more. Money that was
 * in time counts though it is shown after we called its charge expired: the payer could not know better. Money in time for a
 * charge that was closed for another reason is `paid_late`: its quote has lapsed with it.
 * @param isPaid whether money was accepted for the payment before, for whichever of its charges
 * @returns undefined where it does
 */
export function returnReasonOf(
  payment: {
    status: PaymentStatus
    chargeId?: string | null | undefined
    dataError?: { code: string } | null | undefined
  },
  charge: { id: string; state: ChargeState; amount: string; expiresAt: Date },
  received: ReceivedPayment,
  isPaid: boolean,
): ReturnReason | undefined {
  if (isPaid) return 'paid_twice'
  if (received.at > charge.expiresAt) return 'paid_late'
  if (!isWaitedFor(payment, charge)) {
    return charge.state === 'closed' ? 'paid_late' : 'charge_replaced'
  }
  return compare(received.amount, charge.amount) === 0 ? undefined : 'amount_mismatch'
}

/** The failure of a payment whose charge nobody had paid in time, as far as was known. */
export const CHARGE_EXPIRED = 'charge_expired'

/** Whether the payment waits for this charge, or has given it up only because nothing was shown in time. */
export function isWaitedFor(
  { status, chargeId, dataError }: Parameters<typeof returnReasonOf>[0],
  charge: { id: string },
): boolean {
  return chargeId === charge.id && (status === 'pending' || (status === 'error' && dataError?.code === CHARGE_EXPIRED))
}

/** The id of the refund of a received payment: one each, and the same after a crash. At most 35 letters and digits. */
export function refundIdOf(receiptId: string): string {
  return `r${createHash('sha256').update(receiptId).digest('hex').slice(0, 30)}`
}

/** What of a stored refund its rules look at. */
export interface KnownRefund {
  receiptId: string
  id: string
  amount: string
  status: StoredRefundStatus
  forced: boolean
  reason: string
  sentAt?: Date | null | undefined
  createdAt?: Date
  endedAt?: Date | null | undefined
  changedAt?: Date | null | undefined
}

/** Of this machine and the provider. */
const CLOCKS_MS = 60_000

/**
 * Whether a refund may have been made at the provider though nobody here has noted that it was sent: that is not noted any more after
 * the database went back to a backup. The provider has changed the charge since the refund was ordered then.
 */
function mayBeSent({ changedAt }: ReceivedPayment, { sentAt, createdAt }: KnownRefund): boolean {
  if (sentAt != null) return true
  return changedAt !== undefined && createdAt !== undefined && changedAt.getTime() > createdAt.getTime() - CLOCKS_MS
}

/**
 * The refunds of a received payment, by their ids. Of a provider that only tells how much was refunded in all: what is more
 * than what is known to be done are those that were sent and are open, and after them those that may have been, as far as each is as much as
 * is left of that; the rest was made in the provider's dashboard. Refunds are sent one after the other (`send-refund.ts`).
 * @param known of this received payment
 */
export function namedRefunds(received: ReceivedPayment, known: readonly KnownRefund[]): Refund[] {
  const { refunds, refundedAmount } = received
  if (refundedAmount === undefined) return [...refunds]
  const ordered = known.filter(({ forced }) => !forced)
  const done = sum(ordered.filter(({ status }) => status === 'done').map(({ amount }) => amount))
  const named = refunds.flatMap((refund) => chargebackOf(received, refund, known))
  let more = compare(refundedAmount, done) > 0 ? subtract(refundedAmount, done) : '0'
  const open = ordered.filter((one) => !isRefundOver(one) && mayBeSent(received, one))
  const isSent = ({ sentAt }: KnownRefund): boolean => sentAt != null
  for (const { id, amount, reason } of [...open.filter(isSent), ...open.filter((one) => !isSent(one))]) {
    if (compare(amount, more) > 0) continue
    named.push({ id, amount, status: 'done', forced: false, reason })
    more = subtract(more, amount)
  }
  if (!isPositive(more)) return named
  return [...named, { id: `refunded:${refundedAmount}`, amount: more, status: 'done', forced: false, reason: 'refund' }]
}

/** So much newer an answer has to be than what the version before has booked, which has kept no time of the provider's: clocks differ. */
const NEWER_MS = 3_600_000

/**
 * Whether an answer is from after the one that a chargeback was booked by, by the provider's clock alone: an answer that may be old does not
 * say the contrary.
 */
function isNewer({ changedAt }: ReceivedPayment, than: KnownRefund): boolean {
  if (changedAt === undefined) return false
  if (than.changedAt != null) return changedAt > than.changedAt
  const bookedAt = than.status === 'refused' ? than.endedAt : than.createdAt
  return bookedAt != null && changedAt.getTime() - bookedAt.getTime() > NEWER_MS
}

/** A chargeback that was won may be lost after all: then it is another one. */
function chargebackOf(received: ReceivedPayment, shown: Refund, known: readonly KnownRefund[]): Refund[] {
  const before = known.filter(({ forced, id }) => forced && (id === shown.id || id.startsWith(`${shown.id}:`)))
  const last = before.at(-1)
  if (!shown.forced || last === undefined) return [shown]
  const next = { ...shown, id: `${shown.id}:${before.length + 1}` }
  if (last.status === 'refused') return isNewer(received, last) ? [next] : []
  return isAnother(received, shown, last) ? [next] : [{ ...shown, id: last.id }]
}

/** A chargeback of another amount than the known one is another one: that was won meanwhile, and nobody has looked in between. */
function isAnother(received: ReceivedPayment, shown: Refund, known: KnownRefund): boolean {
  return compare(shown.amount, known.amount) !== 0 && isNewer(received, known)
}

/** The chargebacks of a received payment that its provider, which shows them while they hold, does not show any more: won. */
export function wonChargebacks<Known extends KnownRefund>(received: ReceivedPayment, known: readonly Known[]): Known[] {
  if (received.refundedAmount === undefined) return []
  const shown = received.refunds.find(({ forced }) => forced)
  const held = known.filter(({ forced, status }) => forced && status === 'done')
  return held.filter((one) => (shown ? isAnother(received, shown, one) : isNewer(received, one)))
}

/** How much of a payment's money its payer got back by refunds; null where that is nothing. */
export function refundedAmountOf({
  receivedPayments,
  refunds,
}: {
  receivedPayments: readonly { id: string; outcome: string }[]
  refunds: readonly KnownRefund[]
}): string | null {
  const accepted = receivedPayments.find(({ outcome }) => outcome === 'accepted')
  const done = refunds.filter(
    ({ receiptId, forced, status }) => receiptId === accepted?.id && !forced && status === 'done',
  )
  return done.length === 0 ? null : sum(done.map(({ amount }) => amount))
}

/** What of a received payment may still be refunded: neither on its way back nor gone by force; a decimal string. */
export function refundableAmount(received: { id: string; amount: string }, refunds: readonly KnownRefund[]): string {
  const gone = sum(
    refunds
      .filter(({ receiptId, status }) => receiptId === received.id && status !== 'refused')
      .map(({ amount }) => amount),
  )
  return compare(gone, received.amount) < 0 ? subtract(received.amount, gone) : '0'
}

/**
 * What of a refund the platform gives back of its fee: its part of what is left of both, rounded down to the cent, so that with the
 * last of the money the last of the fee goes back. Null where that is nothing.
 * @param fee of the charge; null where the platform took none
 * @param refunds of the charge before this one
 */
export function feeOfRefund(
  fee: string | null | undefined,
  received: { id: string; amount: string },
  refunds: readonly (KnownRefund & { platformFee?: string | null | undefined })[],
  amount: string,
): string | null {
  if (fee == null) return null
  const before = refundsBefore(received, refunds, amount)
  const left = toBaseUnits(refundableAmount(received, before), FIAT_DECIMALS)
  const given = sum(before.map(({ platformFee }) => platformFee ?? '0'))
  const feeLeft = toBaseUnits(subtract(fee, given), FIAT_DECIMALS)
  const wanted = toBaseUnits(amount, FIAT_DECIMALS)
  const cents = wanted >= left ? feeLeft : (feeLeft * wanted) / left
  return cents === 0n ? null : fromBaseUnits(cents < wanted ? cents : wanted, FIAT_DECIMALS)
}

/** The refunds whose parts of the fee and of the receivers' shares are gone before a refund of this amount takes its own. */
export function refundsBefore<Known extends KnownRefund>(
  received: { id: string; amount: string },
  refunds: readonly Known[],
  amount: string,
): readonly Known[] {
  // What is gone by force those who are liable bear, and nobody else does.
  const ours = refunds.filter(
    ({ receiptId, status, forced }) => receiptId === received.id && status !== 'refused' && !forced,
  )
  // What was refunded at the provider beyond that leaves nothing for those that are on their way: they come to nothing.
  const isOvertaking = compare(amount, refundableAmount(received, ours)) > 0
  return isOvertaking ? ours.filter(({ status }) => status === 'done') : ours
}

/** Whether a refund has come to its end. */
export function isRefundOver({ status }: { status: StoredRefundStatus }): boolean {
  return status === 'done' || status === 'refused'
}
