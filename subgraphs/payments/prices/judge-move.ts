import type { AcceptedPrice, Judgement } from '../model/accepted-price.js'
import { isFarOff } from './deviation.js'
import type { PriceRules } from './price-rules.js'

/** How long an accepted price is kept as it is: not every quote has to write. */
const KEEP_MS = 10_000
/** Readings that are closer than this are one reading: the sources' answers are cached for a while. */
const READING_MS = 5_000

/**
 * Whether a price may be paid by, after the last one that was accepted: one that moved further than the bound is held,
 * until it was read the same so many times in a row. Of two sources' prices only; one alone confirms nothing.
 */
export function judgeMove(
  last: AcceptedPrice | undefined,
  rate: string,
  now: Date,
  rules: Pick<PriceRules, 'deviationMaxPercent' | 'moveMaxPercent' | 'moveReadings'>,
): Judgement {
  const accepted: Judgement = { isAccepted: true, next: { rate, acceptedAt: now, held: undefined } }
  if (!last) return accepted
  if (!isFarOff(last.rate, rate, rules.moveMaxPercent)) {
    const isKept = !last.held && now.getTime() - last.acceptedAt.getTime() < KEEP_MS
    return isKept ? { isAccepted: true } : accepted
  }
  const { held } = last
  if (held && !isFarOff(held.rate, rate, rules.deviationMaxPercent)) {
    if (now.getTime() - held.at.getTime() < READING_MS) return { isAccepted: false }
    const readings = held.readings + 1
    return readings >= rules.moveReadings ? accepted : heldWith(last, rate, readings, now)
  }
  return rules.moveReadings <= 1 ? accepted : heldWith(last, rate, 1, now)
}

function heldWith({ rate: lastRate, acceptedAt }: AcceptedPrice, rate: string, readings: number, at: Date): Judgement {
  return { isAccepted: false, next: { rate: lastRate, acceptedAt, held: { rate, readings, at } } }
}
