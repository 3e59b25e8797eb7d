import type { Transaction } from '../../../../kernel/database.js'
import { fromBaseUnits } from '../../../../kernel/money.js'
import type { PaymentAddress } from '../../model/payment-address.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'
import { bookShares, type BookWalletPaymentDeps } from '../transfers/book-wallet-payment.js'

/** What booking deposits needs. */
export type BookDepositsDeps = BookWalletPaymentDeps & Pick<Stores, 'addresses'>

/** What has reached the receivers of an address, in base units: also what came and nobody had counted yet. */
interface SharedOut {
  address: PaymentAddress
  distributed: bigint
}

/** Books what the receivers have got of what came to a payment's address, and was not booked before, under the payment's lock. */
export async function bookDeposits(
  deps: BookDepositsDeps,
  em: Transaction,
  payment: Payment,
  { address, distributed }: SharedOut,
): Promise<void> {
  const loaded = await deps.addresses.load(em, address)
  const { shared = 0n, booked = 0n, laidBefore = 0n, lookBackAt = null } = loaded?.address ?? {}
  // The address gives its receivers all that lies there. What nobody has read is no part of what came, and has to be known first.
  const came = lookBackAt === null ? distributed - laidBefore : 0n
  if (came > shared) await deps.addresses.decided(em, address, null, came)
  const more = distributed - booked
  if (more <= 0n) return
  const isFirst = more === distributed
  const amountTo = fromBaseUnits(more, address.decimals)
  await bookShares(deps, em, payment, { amountTo, ...(!isFirst && { suffix: `:${distributed}` }) })
  await deps.addresses.booked(em, address, distributed)
}
