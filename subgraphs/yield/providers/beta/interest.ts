import type { ChainTime } from '../provider.js'
import { SCALE, SCALE_BITS, type RateBasis, type Reserve } from './reserve.js'

/** A year of 365 days in what rates are counted by; klend takes two slots for a second. */
export const PERIODS_PER_YEAR: Readonly<Record<RateBasis, bigint>> = { slot: 63_072_000n, second: 31_536_000n }
/** How long a slot is where a year has that many. */
const NOMINAL_SLOT_MICROSECONDS = 500_000n
const FULL_BPS = 10_000n

/** What belongs to the depositors, in base units rounded down: cash, and debt without the fees in it. */
export function totalSupply({ available, debtScaled, protocolFeesScaled, referrerFeesScaled }: Reserve): bigint {
  return available + ((debtScaled - protocolFeesScaled - referrerFeesScaled) >> SCALE_BITS)
}

/** What borrowers owe, in base units. */
export function totalBorrow({ debtScaled }: Reserve): bigint {
  return debtScaled >> SCALE_BITS
}

/** Debt over supply, scaled, at most 1. */
export function utilization(reserve: Reserve): bigint {
  const total = totalSupply(reserve)
  const debt = totalBorrow(reserve)
  if (total === 0n) return 0n
  return debt >= total ? SCALE : (debt * SCALE) / total
}

/** The yearly borrow rate, scaled: linear between the points of the curve (klend `BorrowRateCurve::get_borrow_rate`). */
export function borrowRate(reserve: Reserve): bigint {
  const used = utilization(reserve)
  for (const [index, to] of reserve.curve.entries()) {
    const from = reserve.curve[index - 1]
    if (!from || (used > scaleBps(to.utilizationBps) && to.utilizationBps < FULL_BPS)) continue
    const width = to.utilizationBps - from.utilizationBps
    const rise = to.rateBps - from.rateBps
    const above = width > 0n && rise > 0n ? ((used - scaleBps(from.utilizationBps)) * rise) / width : 0n
    return scaleBps(from.rateBps) + above
  }
  return 0n
}

/** What the host of the market takes of the debt in a year, scaled. */
export function hostRate({ hostFeeBps }: Reserve): bigint {
  return scaleBps(hostFeeBps)
}

/** What a yearly rate of the reserve comes to in a year of the calendar: of slots that are shorter than klend takes them for, it has more. */
export function calendarRate(rate: bigint, { rateBasis }: Reserve, { slotMicroseconds }: ChainTime): bigint {
  if (rateBasis !== 'slot' || slotMicroseconds === undefined) return rate
  return (rate * NOMINAL_SLOT_MICROSECONDS) / slotMicroseconds
}

/**
 * The reserve as the program would have it at a time, to the unit: debt with interest, fees with their part of it. A time
 * that is not after the reserve's own changes nothing.
 */
export function accrue(reserve: Reserve, { slot, unixSeconds }: ChainTime): Reserve {
  const { rateBasis, lastSlot, lastUnixSeconds } = reserve
  const periods = rateBasis === 'slot' ? slot - lastSlot : unixSeconds - lastUnixSeconds
  if (periods <= 0n) return reserve
  const growthAt = (rate: bigint): bigint => growth(rate / PERIODS_PER_YEAR[rateBasis], periods)
  const host = hostRate(reserve)
  const interest = (reserve.debtScaled * growthAt(borrowRate(reserve) + host)) >> SCALE_BITS
  const hostFee = (reserve.debtScaled * growthAt(host)) >> SCALE_BITS
  const takeRate = (reserve.takeRatePercent * SCALE) / 100n
  return {
    ...reserve,
    lastSlot: slot,
    lastUnixSeconds: unixSeconds,
    debtScaled: reserve.debtScaled + interest,
    protocolFeesScaled: reserve.protocolFeesScaled + hostFee + (((interest - hostFee) * takeRate) >> SCALE_BITS),
  }
}

/** `(1 + rate)^periods - 1`, scaled: the three terms of its series that klend takes (`approximate_compounded_interest`). */
function growth(rate: bigint, periods: bigint): bigint {
  const first = rate * periods
  const second = (((first * rate) >> SCALE_BITS) * (periods - 1n)) / 2n
  const third = second === 0n ? 0n : (((second * rate) >> SCALE_BITS) * (periods - 2n)) / 3n
  return first + second + third
}

function scaleBps(bps: bigint): bigint {
  return (bps * SCALE) / FULL_BPS
}
