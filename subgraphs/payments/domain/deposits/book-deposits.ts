import type { Transaction } from '../../../../kernel/database.js'
import { fromBaseUnits } from '../../../../kernel/money.js'
import type { PaymentAddress } from '../../model/payment-address.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'
import { bookShares, type BookWalletPaymentDeps } from '../transfers/book-wallet-payment.js'

/** What booking deposits needs. */
export type BookDepositsDeps = BookWalletPaymentDeps & Pick<Stores, 'addresses'>

/**
 * Books what the receivers have got of what came to a payment's address, and was not booked before, under the payment's lock.
 * @param settled the address as it was when all that was to be shared out had reached them
 */
export async function bookDeposits(
  deps: BookDepositsDeps,
  em: Transaction,
  payment: Payment,
  settled: PaymentAddress,
): Promise<void> {
  const loaded = await deps.addresses.load(em, settled)
  const { shared } = settled
  const more = shared - (loaded?.address.booked ?? 0n)
  if (more <= 0n) return
  const isFirst = more === shared
  const amountTo = fromBaseUnits(more, settled.decimals)
  await bookShares(deps, em, payment, { amountTo, ...(!isFirst && { suffix: `:${shared}` }) })
  await deps.addresses.booked(em, settled, shared)
}
