import type { Payout } from '../store/payout.entity.js'

/** What a payout says of itself when it is planned; amounts are decimal strings. */
type PlannedPayout = Pick<
  Payout,
  'tenantId' | 'paymentId' | 'splitIndex' | 'chainName' | 'symbol' | 'receiver' | 'amount' | 'fiatAmount'
>

/** A payout that nobody has tried yet, and that nothing holds up. */
export function newPayout(planned: PlannedPayout, now: Date): Payout {
  return {
    ...planned,
    withheld: '0',
    convertedFiat: planned.fiatAmount,
    state: 'waiting',
    holdReason: null,
    delayedUntil: null,
    coinsHeldAt: null,
    waitsFor: null,
    attempt: 0,
    failedTries: 0,
    revertedTries: 0,
    notBefore: now,
    hash: null,
    createdAt: now,
    confirmedAt: null,
  }
}
