import { subtract } from '../../../../kernel/money.js'
import { conversionEntry, disbursementEntry, platformFeeEntries } from '../../model/ledger-entries.js'
import { planPayouts } from '../../settlement/plan-payout.js'
import type { StoredReceivedPayment } from '../../store/charge.entity.js'
import type { Quote } from '../../store/quotes.js'
import { book, isSharedByProvider, type Application } from './application.js'
import { holdPayouts } from './hold-payouts.js'
import { keepReserve } from './keep-reserve.js'

/** The money pays the payment: what the receivers are owed is written down in the same transaction. */
export async function acceptReceivedPayment(application: Application, received: StoredReceivedPayment): Promise<void> {
  const { deps, em, payment, record, now, causes } = application
  const { charge } = record
  charge.state = 'paid'
  charge.confirmedAt = now
  // It was called expired, and its payer was in time.
  if (payment.status === 'error') waitAgain(application)
  if (isSharedByProvider(application)) {
    await settleByProvider(application, received)
    return
  }
  const { currency } = received
  const quote = await quoteOf(application)
  const fee = { amount: quote?.feeAmount ?? '0', currency }
  const spread = { amount: quote?.spreadAmount ?? '0', currency }
  const net = { amount: subtract(subtract(received.amount, fee.amount), spread.amount), currency }
  const payouts = planPayouts(deps, payment, net.amount, now)
  const to = { amount: payment.amountTo ?? '0', currency: payment.toCurrencySymbol }
  await book(application, ...platformFeeEntries(received.id, fee, spread), conversionEntry(received.id, net, to))
  await holdPayouts(application, payouts)
  await keepReserve(application, received, payouts)
  deps.payouts.add(em, payouts)
  for (const { chainName } of payouts) application.chainsToSettle.add(chainName)
  causes.push('charge_paid')
}

/** The payment is pending at once, and not only as recorded: that the money is gone may be shown by the same look, and ends what is pending. */
function waitAgain({ payment, change }: Application): void {
  const pending = { status: 'pending', dataError: null } as const
  Object.assign(change, pending)
  Object.assign(payment, pending)
}

/** The quote by which the receivers are paid: the one that was locked, or the one that took its place. */
async function quoteOf({ deps, em, payment, record, change, pricedAgain }: Application): Promise<Quote | undefined> {
  const { charge } = record
  if (!pricedAgain) return charge.quoteId == null ? undefined : deps.quotes.findIn(em, charge.tenantId, charge.quoteId)
  deps.quotes.add(em, pricedAgain)
  const { id: quoteId, amountTo } = pricedAgain
  charge.quoteId = quoteId
  Object.assign(change, { quoteId, amountTo })
  Object.assign(payment, { quoteId, amountTo })
  return pricedAgain
}

/** The provider shares the money out by itself, what the platform gets of it too: nothing is left to be done. Without recipients it stays the tenant's, with us. */
async function settleByProvider(application: Application, received: StoredReceivedPayment): Promise<void> {
  const { payment, record, causes, change } = application
  const isSharedOut = payment.splitPaymentConfig.some(({ recipientId }) => recipientId != null && recipientId !== '')
  if (isSharedOut) {
    const { rail, platformFee } = record.charge
    const { currency } = received
    const fee = { amount: platformFee ?? '0', currency }
    const shared = { amount: subtract(received.amount, fee.amount), currency }
    const fees = platformFeeEntries(received.id, fee, { amount: '0', currency })
    await book(application, ...fees, disbursementEntry(rail, received.id, shared))
  }
  change.status = 'success'
  causes.push('charge_paid')
}
