import { isPositive } from '../../../../kernel/money.js'
import type { ReceivedPayment } from '../../model/charge.js'
import { providerFeeEntry } from '../../model/ledger-entries.js'
import { book, type ChargeUpdate } from './application.js'

/** Books what the provider says that it took for a received payment: once, as it may say so only later. */
export async function recordProviderFee(update: ChargeUpdate, { id, fee }: ReceivedPayment): Promise<void> {
  const { record, causes } = update
  const stored = record.receivedPayments.find((received) => received.id === id)
  if (fee === undefined || !stored || stored.providerFee != null) return
  stored.providerFee = fee
  const { rail, currency } = record.charge
  if (isPositive(fee)) await book(update, providerFeeEntry(rail, id, { amount: fee, currency }))
  // Whatever else the view tells is more important.
  causes.unshift('provider_fee')
}
