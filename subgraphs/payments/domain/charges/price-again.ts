import { AppError } from '../../../../kernel/errors.js'
import { subtract } from '../../../../kernel/money.js'
import type { EnabledChains } from '../../model/chain-access.js'
import type { ChargeView } from '../../model/charge.js'
import { isWaitedFor } from '../../model/refund-rules.js'
import type { Runtime } from '../../model/runtime.js'
import { lockQuote, type LockQuoteDeps } from '../../prices/lock-quote.js'
import { payoutTarget } from '../../settlement/plan-payout.js'
import type { Charge } from '../../store/charge.entity.js'
import type { Quote } from '../../store/quotes.js'
import type { Stores } from '../../store/stores.js'

/** What pricing an accepted charge again needs. */
export type PriceAgainDeps = EnabledChains &
  LockQuoteDeps &
  Pick<Runtime, 'clock'> &
  Pick<Stores, 'payments' | 'quotes'>

/**
 * Prices a charge again that was under review until after its quote had ended: its receivers get what the money is worth now,
 * not days ago. Fee and spread stay as they were quoted. Before the payment is locked, as a price source may be slow.
 * @returns undefined where the quote holds, or nothing is to be paid by it
 * @throws provider_unavailable, provider_timeout: the money is taken up later then
 */
export async function priceAgain(deps: PriceAgainDeps, charge: Charge, view: ChargeView): Promise<Quote | undefined> {
  const { tenantId, paymentId, quoteId, amount, currency, state, expiresAt } = charge
  // Also of a charge that was called expired: what is accepted of it is shown late, and worth no more for that.
  const mayBePaid = state === 'open' || state === 'closed'
  if (quoteId == null || !mayBePaid || view.status !== 'paid') return undefined
  const before = await deps.quotes.find(tenantId, quoteId)
  const [received] = view.receivedPayments
  // Money in time is paid as quoted, however late it is shown; what came after the charge's own end goes back.
  const isBetween = before && received && received.at > before.expiresAt && received.at <= expiresAt
  if (!isBetween) return undefined
  const payment = await deps.payments.find(tenantId, paymentId)
  if (!payment || !isWaitedFor(payment, charge)) return undefined
  const { feeAmount: fee, spreadAmount: spread } = before
  const { asset } = payoutTarget(deps, payment, payment.chainName)
  const net = subtract(subtract(amount, fee), spread)
  const parts = { charged: amount, chargedIn: currency, fee, spread, net }
  try {
    return await lockQuote(deps, payment, asset.decimals, 'payout', parts)
  } catch (error) {
    // The pair is no longer priced at all: what was quoted is all there is.
    if (error instanceof AppError && error.code === 'validation_error') return undefined
    throw error
  }
}
