import { splitShares } from '../../../chains/shares.js'
import { fromBaseUnits, subtract, sum, toBaseUnits } from '../../../kernel/money.js'
import { percentText } from '../../../kernel/percent.js'
import type { SplitReceiver } from '../../../terms/split.js'
import { FIAT_DECIMALS } from './proportion.js'
import { refundsBefore, type KnownRefund } from './refund-rules.js'

/** A charge's money that a provider has shared out. */
interface SharedOut {
  receivers: readonly SplitReceiver[]
  /** What came, the platform's fee included. */
  received: { id: string; amount: string }
  /** Null where the platform took none. */
  platformFee: string | null | undefined
}

interface SharedRefund {
  amount: string
  platformFee?: string | null | undefined
  /** What of it each receiver bears, by its place in the split; null where that was not kept. */
  shares?: readonly string[] | null | undefined
}

/** What each receiver gets of a total, in whole cents: exact decimal percentages, by the largest remainder. */
export function sharesByPercent(receivers: readonly SplitReceiver[], totalCents: bigint): bigint[] {
  const percents = receivers.map(({ receiverPercent }) => percentText(receiverPercent))
  return partsByWeight(totalCents, splitShares(percents))
}

/**
 * What each receiver bears of a refund: its part of what is left of all their shares. So nobody is ever debited more than it was
 * credited, and with the last of the money goes the last of each share. Refunds that are on their way count as gone, those that
 * failed do not; the refund has to keep its shares, as others come and fail after it.
 * @param refunds of the charge before this one
 * @returns decimal strings by place in the split; they sum to the refund without its part of the fee
 */
export function sharesOfRefund(
  { receivers, received, platformFee }: SharedOut,
  refunds: readonly (KnownRefund & SharedRefund)[],
  refund: SharedRefund,
): string[] {
  const captured = sharesByPercent(receivers, centsOf({ amount: received.amount, platformFee }))
  const given = refundsBefore(received, refunds, refund.amount).map((one) => keptShares(receivers, one))
  const left = captured.map((cents, place) => {
    const rest = cents - toCents(sum(given.map((shares) => shares[place] ?? '0')))
    return rest > 0n ? rest : 0n
  })
  // Nothing is left where the version before has overdrawn them, or where all that came was the platform's fee.
  const isLeft = left.some((cents) => cents > 0n)
  const parts = isLeft ? partsByWeight(centsOf(refund), left) : sharesByPercent(receivers, centsOf(refund))
  return parts.map((cents) => fromBaseUnits(cents, FIAT_DECIMALS))
}

/** The shares that a refund was ordered with. The version before kept none: it shared each refund out by the percentages alone. */
export function keptShares(receivers: readonly SplitReceiver[], refund: SharedRefund): readonly string[] {
  return (
    refund.shares ?? sharesByPercent(receivers, centsOf(refund)).map((cents) => fromBaseUnits(cents, FIAT_DECIMALS))
  )
}

/** What of the money is the receivers'. */
function centsOf({ amount, platformFee }: Pick<SharedRefund, 'amount' | 'platformFee'>): bigint {
  return toCents(subtract(amount, platformFee ?? '0'))
}

function toCents(amount: string): bigint {
  return toBaseUnits(amount, FIAT_DECIMALS)
}

/**
 * Whole parts of a total by weights: rounded down, then one more for the largest remainders, the first of equals first. Where the
 * total is no more than all weights together, no part is more than its weight.
 */
function partsByWeight(total: bigint, weights: readonly bigint[]): bigint[] {
  const whole = weights.reduce((all, weight) => all + weight, 0n)
  const parts = weights.map((weight) => (total * weight) / whole)
  const missing = total - parts.reduce((all, part) => all + part, 0n)
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (total * weight) % whole }))
    .sort((left, right) =>
      left.remainder === right.remainder ? left.index - right.index : left.remainder > right.remainder ? -1 : 1,
    )
  const raised = new Set(byRemainder.slice(0, Number(missing)).map(({ index }) => index))
  return parts.map((part, index) => (raised.has(index) ? part + 1n : part))
}
