import { compare, sum } from '../../../../kernel/money.js'
import { alertJob } from '../../settlement/alert-job.js'
import type { Payout } from '../../store/payout.entity.js'
import type { ChargeUpdate } from './application.js'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/**
 * Holds new payouts as their operator has said: for the tenant's delay on the rail, and for an operator where they are more
 * than may leave the treasury. Changes the payouts, before anybody can send them.
 */
export async function holdPayouts(update: ChargeUpdate, payouts: readonly Payout[]): Promise<void> {
  const { deps, em, record, now } = update
  const minutes = await deps.risk.delayMinutes(em, record.charge.tenantId, record.charge.rail)
  if (minutes > 0) {
    const until = new Date(now.getTime() + minutes * MINUTE_MS)
    const delayed = { notBefore: until, delayedUntil: until, holdReason: 'delay' } satisfies Partial<Payout>
    for (const payout of payouts) Object.assign(payout, delayed)
  }
  await holdAboveCap(update, payouts)
}

/** What asking for the treasury's cap needs. */
export type HoldAboveCapDeps = Pick<ChargeUpdate['deps'], 'addJob' | 'risk'>

/** Holds new payouts for an operator where they are more than may leave the treasury. Changes the payouts. */
export async function holdAboveCap(
  { deps, em, payment, now }: Pick<ChargeUpdate, 'em' | 'payment' | 'now'> & { deps: HoldAboveCapDeps },
  payouts: readonly Payout[],
): Promise<void> {
  const [first] = payouts
  if (!first) return
  const cap = await deps.risk.lockCap(em, first, new Date(now.getTime() - DAY_MS))
  if (!cap) return
  const { perPayout, perDay, planned } = cap
  const isTooLarge = perPayout !== null && payouts.some(({ amount }) => compare(amount, perPayout) > 0)
  const isTooMuch = perDay !== null && compare(sum([planned, ...payouts.map(({ amount }) => amount)]), perDay) > 0
  if (!isTooLarge && !isTooMuch) return
  for (const payout of payouts)
    Object.assign(payout, { state: 'held', holdReason: 'treasury_cap' } satisfies Partial<Payout>)
  const details = `more than the cap of ${first.symbol} on ${first.chainName}`
  await deps.addJob(em, alertJob({ kind: 'payout_held', subject: payment.id, details }))
}
