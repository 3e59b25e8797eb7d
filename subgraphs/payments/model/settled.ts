import { compare, subtract, sum } from '../../../kernel/money.js'
import { isMoneyIn } from '../../../terms/money-in.js'
import type { StoredRefundStatus } from './charge.js'
import { isByAddress } from './payment-address.js'

/** What of a payment says whether its payer has paid. */
type Payable = Parameters<typeof isByAddress>[0] & { tidHash?: string | null | undefined; globalPaymentData?: unknown }

/** And what its receivers share. */
type Shared = Payable & {
  toCurrencySymbol: string
  amountTo?: string | null | undefined
  receivedAmount?: string | null | undefined
}

/** The charge of a payment that its provider shares out itself; amounts are decimal strings in `currency`. */
interface SharedCharge {
  amount: string
  currency: string
  platformFee?: string | null | undefined
}

/** An amount, a decimal string, and what it is in. */
export interface Settled {
  amount: string
  currency: string
}

/** Whether a payment's payer has paid it, though its receivers may still wait for their money. */
export function isPaid({ status, transactionType, tidHash, globalPaymentData }: Payable): boolean {
  const isByWallet = transactionType === 'crypto'
  return status === 'success' || (status === 'pending' && isMoneyIn({ isByWallet, tidHash, globalPaymentData }))
}

/**
 * What the receivers of a payment share, before anything is refunded: of one that is paid at its address all that came there, be it less or more
 * than was asked for; of another what was quoted, or what its provider shares out.
 * @param shared its charge, where the provider pays the receivers
 * @returns null while its payer has not paid, and where it has failed
 */
export function settledOf(payment: Shared, shared?: SharedCharge): Settled | null {
  if (!isPaid(payment)) return null
  if (shared) return { amount: subtract(shared.amount, shared.platformFee ?? '0'), currency: shared.currency }
  const amount = isByAddress(payment) ? payment.receivedAmount : payment.amountTo
  return amount == null ? null : { amount, currency: payment.toCurrencySymbol }
}

/** What of a payment's money goes back, as far as its receivers bear it. */
interface Back {
  amount: string
  status: StoredRefundStatus
  forced: boolean
  /** What of it the platform gives back of its fee. */
  platformFee: string | null
}

/**
 * What the receivers of a payment get of what they share: what their payouts are after refunds and disputes have taken off those that had not
 * left. What went back later the tenant has paid. Where the provider pays them it takes from them whatever goes back.
 * @param payouts of the payment; none where the provider or a wallet pays the receivers
 * @param back of the money that paid it, where the provider has shared that out
 */
export function receivedOf(
  settled: Settled,
  payouts: readonly { amount: string; state: string }[],
  back: readonly Back[],
): string {
  if (payouts.length > 0) return sum(payouts.filter(({ state }) => state !== 'cancelled').map(({ amount }) => amount))
  const counted = back.filter(({ status, forced }) => status === 'done' || (!forced && status !== 'refused'))
  const borne = sum(counted.map(({ amount, platformFee }) => subtract(amount, platformFee ?? '0')))
  return compare(borne, settled.amount) < 0 ? subtract(settled.amount, borne) : '0'
}
