import { findToken } from '../../../../chains/chain.js'
import { shareAmounts } from '../../../../chains/shares.js'
import type { Transaction } from '../../../../kernel/database.js'
import { fromBaseUnits, isPositive, toBaseUnits } from '../../../../kernel/money.js'
import { percentText } from '../../../../kernel/percent.js'
import type { EnabledChains } from '../../model/chain-access.js'
import { walletPaymentEntries } from '../../model/house-entries.js'
import type { Runtime } from '../../model/runtime.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'

/** What booking a wallet's payment needs. */
export type BookWalletPaymentDeps = EnabledChains & Pick<Runtime, 'clock'> & Pick<Stores, 'ledger'>

/**
 * Books what a wallet has paid the receivers directly, in the transaction by which the payment succeeds. It leaves every account
 * as it was; a tenant's statement shows it.
 */
export async function bookWalletPayment(
  { ledger, clock, settings }: BookWalletPaymentDeps,
  em: Transaction,
  payment: Payment,
): Promise<void> {
  if (payment.amountTo != null)
    await bookShares({ ledger, clock, settings }, em, payment, { amountTo: payment.amountTo })
}

/**
 * Books what has reached the receivers of a payment without ever being ours.
 * @param about the amount, and what tells it from others of the same payment
 */
export async function bookShares(
  { ledger, clock, settings }: BookWalletPaymentDeps,
  em: Transaction,
  payment: Payment,
  { amountTo, suffix = '' }: { amountTo: string; suffix?: string },
): Promise<void> {
  const { tenantId, id: paymentId, toCurrencySymbol: currency } = payment
  const chainName = payment.toChain ?? payment.chainName ?? ''
  const chain = settings.chains.find(({ name }) => name === chainName)
  const decimals = chain && findToken(chain, currency)?.decimals
  const receivers = payment.splitPaymentConfig.filter(({ receiverPercent }) => receiverPercent > 0)
  if (!isPositive(amountTo)) return
  const percents = receivers.map(({ receiverPercent }) => percentText(receiverPercent))
  // A token that was taken off the deployment's list while the payment was on its way is booked as one share.
  const amounts =
    decimals === undefined
      ? [amountTo]
      : shareAmounts(toBaseUnits(amountTo, decimals), percents).map((units) => fromBaseUnits(units, decimals))
  const shares = amounts.map((amount, splitIndex) => ({ splitIndex, amount }))
  const entries = walletPaymentEntries(
    chainName,
    { amount: amountTo, currency },
    shares.filter(({ amount }) => isPositive(amount)),
    suffix,
  )
  await ledger.book(em, { tenantId, paymentId, at: clock.now() }, ...entries)
}
