import { subtract } from '../../../kernel/money.js'
import { isMoneyIn } from '../../../terms/money-in.js'
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
