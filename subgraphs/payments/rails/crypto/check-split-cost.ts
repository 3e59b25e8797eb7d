import { minPayout } from '../../../../chains/min-payout.js'
import { shareAmounts } from '../../../../chains/shares.js'
import { idBound } from '../../../../kernel/ids.js'
import { validationError } from '../../../../kernel/errors.js'
import { fromBaseUnits, toBaseUnits } from '../../../../kernel/money.js'
import { notPayable } from '../../model/not-payable.js'
import type { Runtime } from '../../model/runtime.js'
import type { Payment } from '../../store/payment.entity.js'
import type { PaymentsStore } from '../../store/payments.js'
import type { Destination } from './destination.js'

/** What sharing out may cost us. */
export interface SplitBudget {
  /** To how many receivers a tenant's payments may be shared out in 24 hours at our cost; 0: any number. */
  splitReceiversPerDay: number
}

type CheckSplitDeps = SplitBudget & Pick<Runtime, 'clock'> & { payments: Pick<PaymentsStore, 'countSplitReceivers'> }

const DAY_MS = 24 * 3_600_000

/**
 * Refuses a split that would cost the gas payer more than it is worth: sharing out takes some 700,000 gas, and 28,000 for each
 * receiver. A payment counts once for its tenant's day, however often its transaction is built.
 * @param amountTo what the receivers share, of their token; a decimal string
 * @throws validation_error on `amountFrom` where a receiver gets too little, on `paymentId` where the tenant's day is full
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
  const least = minPayout(chain, symbol).amount
  if (smallest < toBaseUnits(least, asset.decimals)) {
    const got = fromBaseUnits(smallest, asset.decimals)
    const message = `pays a receiver ${got} ${symbol}, the least is ${least}`
    throw validationError([{ field: 'amountFrom', message }])
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
 * Whether each receiver gets the token's least of an amount that has come to a payment's own address.
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

function smallestOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((low, units) => (units < low ? units : low))
}
