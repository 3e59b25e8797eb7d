import { divide, isPositive, multiply } from '../../../kernel/money.js'
import type { ChargedParts } from '../model/fees.js'
import { notPayable } from '../model/not-payable.js'
import type { Runtime } from '../model/runtime.js'
import type { Payment } from '../store/payment.entity.js'
import type { Quote } from '../store/quotes.js'
import type { Markets } from './market.js'

/** What locking a price needs. */
export type LockQuoteDeps = Pick<Runtime, 'clock' | 'newId'> &
  Markets & {
    /** How long a quote is locked, in milliseconds. */
    quoteLifeMs: number
  }

/**
 * Who gets what is priced. For a payout we buy it with what the payer paid; a transfer is the payer's own, and is worth the
 * payment's amount to the one who sells it. Either way the market's other side bears no part of it.
 */
type PricedFor = 'payout' | 'transfer'

/** Where the platform takes nothing. */
const WHOLE: ChargedParts = { charged: '1', fee: '0', spread: '0', net: '1' }

/**
 * Prices a payment now: `amount_from × rate`, less what the platform takes, rounded half up to the token's decimals, good until it expires.
 * @param decimals of the token that the receivers get
 * @param parts what the payer pays where the platform takes something of it: only the net is converted
 * @throws validation_error where there is no market or nothing is left after rounding, provider_unavailable, provider_timeout
 */
export async function lockQuote(
  deps: LockQuoteDeps,
  payment: Payment,
  decimals: number,
  pricedFor: PricedFor,
  parts: ChargedParts = WHOLE,
): Promise<Quote> {
  const { fromCurrencySymbol, amountFrom, toCurrencySymbol, tenantId, id: paymentId } = payment
  const market = await deps.payableMarket(fromCurrencySymbol, toCurrencySymbol, amountFrom)
  if (!market) throw notPayable(`there is no market from ${fromCurrencySymbol} to ${toCurrencySymbol}`)
  const rate = pricedFor === 'payout' ? market.sellRate : market.buyRate
  const amountTo = divide(multiply(multiply(amountFrom, rate), parts.net), parts.charged, decimals)
  if (!isPositive(amountTo))
    throw notPayable(`${amountFrom} ${fromCurrencySymbol} is less than the smallest unit of ${toCurrencySymbol}`)
  const createdAt = deps.clock.now()
  return {
    tenantId,
    id: deps.newId(),
    paymentId,
    fromCurrencySymbol,
    amountFrom,
    toCurrencySymbol,
    amountTo,
    feeAmount: parts.fee,
    spreadAmount: parts.spread,
    rate,
    source: market.source,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + deps.quoteLifeMs),
  }
}
