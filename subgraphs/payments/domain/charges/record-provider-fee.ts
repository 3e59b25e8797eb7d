import { isPositive } from '../../../../kernel/money.js'
import type { ReceivedPayment } from '../../model/charge.js'
import { changedFeeEntry, changedFeeName, providerFeeEntry, type LedgerEntry } from '../../model/ledger-entries.js'
import { amountOf, unitsOf } from '../../model/signed-amount.js'
import { book, type ChargeUpdate } from './application.js'

/** Books what the provider says that it took for a received payment: once, as it may say so only later, and what it changes of it. */
export async function recordProviderFee(update: ChargeUpdate, { id, fee }: ReceivedPayment): Promise<void> {
  const { record, causes } = update
  const stored = record.receivedPayments.find((received) => received.id === id)
  if (fee === undefined || !stored) return
  const more = amountOf(unitsOf(fee) - unitsOf(stored.providerFee ?? '0'))
  if (stored.providerFee != null && more === '0') return
  const entry = stored.providerFee == null ? firstEntry(update, id, fee) : await changedEntry(update, id, more)
  stored.providerFee = fee
  if (entry) await book(update, entry)
  // Whatever else the view tells is more important.
  causes.unshift('provider_fee')
}

function firstEntry({ record }: ChargeUpdate, receiptId: string, fee: string): LedgerEntry | undefined {
  const { rail, currency } = record.charge
  return isPositive(fee) ? providerFeeEntry(rail, receiptId, { amount: fee, currency }) : undefined
}

async function changedEntry({ deps, em, record }: ChargeUpdate, receiptId: string, more: string): Promise<LedgerEntry> {
  const { tenantId, paymentId, rail, currency } = record.charge
  const [name, account] = [changedFeeName(receiptId), `cost:${rail}`]
  const { entries } = await deps.ledger.sumOfNumbered(em, { tenantId, paymentId, name, account })
  return changedFeeEntry(rail, receiptId, entries + 1, { amount: more, currency })
}
