import { compare, isPositive, sum } from '../kernel/money.js'

/** What of a payment tells what went back to its payer; amounts are decimal strings in the currency that was charged. */
export interface ChargedPayment {
  /** By refunds alone. */
  refundedAmount: string
  globalPaymentData: unknown
  /** What was charged; undefined where nothing was. */
  charged: string | undefined
}

/** What went back to a payer; null for nothing. */
export interface MoneyBack {
  refunded: string | null
  /** What the payer's bank took, by a chargeback or a special return of Pix. */
  takenBack: string | null
  /** Whether that is all that was charged. */
  isWhole: boolean
}

/** What went back to the payer of a payment, by refunds and by his bank; what is on its way is none of it. */
export function moneyBackOf({ refundedAmount, globalPaymentData, charged }: ChargedPayment): MoneyBack {
  const takenBack = takenBackOf(globalPaymentData)
  const all = sum([refundedAmount, takenBack])
  return {
    refunded: isPositive(refundedAmount) ? refundedAmount : null,
    takenBack: isPositive(takenBack) ? takenBack : null,
    isWhole: isPositive(all) && charged !== undefined && compare(all, charged) >= 0,
  }
}

/** Of the money that was accepted: what came besides is not the payment's. */
function takenBackOf(globalPaymentData: unknown): string {
  interface Shown {
    receipt_id?: unknown
    returns?: readonly { receipt_id: unknown; amount: string; status: string; forced: boolean }[]
  }
  const { receipt_id: accepted, returns = [] } = (globalPaymentData ?? {}) as Shown
  const taken = returns.filter((one) => one.forced && one.status === 'done' && one.receipt_id === accepted)
  return sum(taken.map(({ amount }) => amount))
}
