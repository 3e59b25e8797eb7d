import { minPayout } from '../../../../chains/min-payout.js'
import { shareAmounts } from '../../../../chains/shares.js'
import { idBound } from '../../../../kernel/ids.js'
import { fromBaseUnits, toBaseUnits } from '../../../../kernel/money.js'
import { notPayable } from '../../model/not-payable.js'
import type { Runtime } from '../../model/runtime.js'
import type { Payment } from '../../store/payment.entity.js'
import type { PaymentsStore } from '../../store/payments.js'
import type { Destination } from './destination.js'
import type { SharingCost } from './sharing-cost.js'

/** What sharing out may cost us, and what it does cost. */
export interface SplitBudget {
  /** To how many receivers a tenant's payments may be shared out in 24 hours at our cost; 0: any number. */
  splitReceiversPerDay: number
  sharingCost: SharingCost
}

type CheckSplitDeps = SplitBudget & Pick<Runtime, 'clock'> & { payments: Pick<PaymentsStore, 'countSplitReceivers'> }

const DAY_MS = 24 * 3_600_000

/**
 * Refuses a split that would cost the gas payer more than it is worth: each receiver has to get the token's least, and its part of what
 * sharing out costs now. A payment counts once for its tenant's day, however often its transaction is built.
 * @param amountTo what the receivers share, of their token; a decimal string
 * @throws validation_error on `paymentId` where a receiver gets too little, or the tenant's day is full
 */
export async function checkSplitCost(
  deps: CheckSplitDeps,
  payment: Payment,
  { chain, asset, split }: Destination,
  amountTo: string,
): Promise<void> {
  if (!split) return
  const symbol = payment.toCurrencySymbol
  const amounts = shareAmounts(toBaseUnits(amountTo, asset.decimals), split.terms.percents)
  const smallest = smallestOf(amounts)
  const set = toBaseUnits(minPayout(chain, symbol).amount, asset.decimals)
  // A part that has come to the payment's address is shared out whatever gas costs: refusing the rest would save nothing.
  const cost = payment.receivedAmount ? undefined : await deps.sharingCost(split, symbol)
  const part = partOf(cost ?? 0n, amounts.length)
  const least = part > set ? part : set
  if (smallest < least) {
    const shown = (units: bigint): string => fromBaseUnits(units, asset.decimals)
    const why = part > set ? ' at what gas costs now' : ''
    throw notPayable(`pays a receiver ${shown(smallest)} ${symbol}, the least is ${shown(least)}${why}`)
  }
  const { splitReceiversPerDay: most, clock } = deps
  if (most === 0) return
  const sinceId = idBound(new Date(clock.now().getTime() - DAY_MS))
  const { tenantId, id: exceptId } = payment
  const others = await deps.payments.countSplitReceivers(tenantId, { sinceId, exceptId })
  if (others + amounts.length <= most) return
  throw notPayable(
    `is shared out to ${amounts.length} receivers; the tenant's payments of 24 hours go to ${most} at most`,
  )
}

/**
 * Whether each receiver gets the token's least of an amount that has come to a payment's own address. What gas costs now has no say in it: the
 * money is there and the receivers', and whether it pays its payment must not change with the minute, or with the process that looks. While
 * gas is dear, the transaction waits for the chain's cap.
 * @param amount in base units
 */
export function isWorthSharing(
  { chain, asset, receivers }: Pick<Destination, 'chain' | 'asset' | 'receivers'>,
  symbol: string,
  amount: bigint,
): boolean {
  const amounts = shareAmounts(
    amount,
    receivers.map(({ percent }) => percent),
  )
  return amount > 0n && smallestOf(amounts) >= toBaseUnits(minPayout(chain, symbol).amount, asset.decimals)
}

/** What each of some receivers bears of a cost, rounded up to a base unit. */
function partOf(cost: bigint, receivers: number): bigint {
  const count = BigInt(receivers)
  return (cost + count - 1n) / count
}

function smallestOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((low, units) => (units < low ? units : low))
}
