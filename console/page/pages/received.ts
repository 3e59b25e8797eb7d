import type { ShownPayment } from './shown.js'

type Taken = Pick<
  ShownPayment,
  | 'status'
  | 'transactionType'
  | 'amountTo'
  | 'toCurrencySymbol'
  | 'payerTokenSymbol'
  | 'receivedAmount'
  | 'transactionHash'
>

/**
 * What the receivers get of a payment, as a decimal string in `toCurrencySymbol`: of one that is paid at its address all that came there,
 * be it less or more than was asked for; of another what was quoted.
 * @returns null before anything is quoted
 */
export function receivedOf(payment: Taken): string | null {
  const { status, transactionType, amountTo, toCurrencySymbol, payerTokenSymbol, receivedAmount, transactionHash } =
    payment
  const isPaid = status === 'SUCCESS' || (status === 'PENDING' && transactionHash !== null)
  const isInToken = (payerTokenSymbol ?? toCurrencySymbol) === toCurrencySymbol
  const isByAddress = transactionType === 'CRYPTO' && /[1-9]/.test(receivedAmount)
  return isPaid && isByAddress && isInToken ? receivedAmount : amountTo
}
