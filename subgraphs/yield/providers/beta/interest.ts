import { SCALE, SCALE_BITS, type Reserve } from './reserve.js'

/** Two slots a second, as klend counts a year. */
export const SLOTS_PER_YEAR = 63_072_000n
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

/**
 * The reserve as the program would have it at a slot, to the unit: debt with interest, fees with their part of it. A slot
 * that is not after the reserve's own changes nothing.
 */
export function accrue(reserve: Reserve, slot: bigint): Reserve {
  const slots = slot - reserve.lastSlot
  if (slots <= 0n) return reserve
  const host = hostRate(reserve)
  const interest = (reserve.debtScaled * growth(borrowRate(reserve) + host, slots)) >> SCALE_BITS
  const hostFee = (reserve.debtScaled * growth(host, slots)) >> SCALE_BITS
  const takeRate = (reserve.takeRatePercent * SCALE) / 100n
  return {
    ...reserve,
    lastSlot: slot,
    debtScaled: reserve.debtScaled + interest,
    protocolFeesScaled: reserve.protocolFeesScaled + hostFee + (((interest - hostFee) * takeRate) >> SCALE_BITS),
  }
}

/** `(1 + rate / year)^slots - 1`, scaled: the three terms of its series that klend takes (`approximate_compounded_interest`). */
function growth(rate: bigint, slots: bigint): bigint {
  const perSlot = rate / SLOTS_PER_YEAR
  const first = perSlot * slots
  const second = (((first * perSlot) >> SCALE_BITS) * (slots - 1n)) / 2n
  const third = second === 0n ? 0n : (((second * perSlot) >> SCALE_BITS) * (slots - 2n)) / 3n
  return first + second + third
}

function scaleBps(bps: bigint): bigint {
  return (bps * SCALE) / FULL_BPS
}
