import { divide, isPositive, multiply } from '../../../kernel/money.js'
import type { ChargedParts } from '../model/fees.js'
import { notPayable } from '../model/not-payable.js'
import type { Runtime } from '../model/runtime.js'
import type { Payment } from '../store/payment.entity.js'
import type { Quote } from '../store/quotes.js'
import { RATE_DECIMALS, type Markets } from './market.js'

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

/** What the payer pays, where the platform takes something of it. */
interface PricedParts extends ChargedParts {
  /** The currency of what was charged already: so much of it is converted, whatever the payment's amount costs now. */
  chargedIn?: string
}

/** Where the platform takes nothing. */
const WHOLE: PricedParts = { charged: '1', fee: '0', spread: '0', net: '1' }

/**
 * Prices a payment now: `amount_from × rate`, less what the platform takes, rounded half up to the token's decimals, good until it expires.
 * The rate is that of the payment's currency; where something was charged already, by what its amount was charged as.
 * @param decimals of the token that the receivers get
 * @param parts only their net is converted
 * @throws validation_error where there is no market or nothing is left after rounding, provider_unavailable, provider_timeout
 */
export async function lockQuote(
  deps: LockQuoteDeps,
  payment: Payment,
  decimals: number,
  pricedFor: PricedFor,
  parts: PricedParts = WHOLE,
): Promise<Quote> {
  const { fromCurrencySymbol, amountFrom, toCurrencySymbol, tenantId, id: paymentId } = payment
  const { chargedIn } = parts
  const sold =
    chargedIn === undefined
      ? { currency: fromCurrencySymbol, amount: amountFrom }
      : { currency: chargedIn, amount: parts.charged }
  const market = await deps.payableMarket(sold.currency, toCurrencySymbol, sold.amount)
  if (!market) throw notPayable(`there is no market from ${sold.currency} to ${toCurrencySymbol}`)
  const worth = multiply(sold.amount, pricedFor === 'payout' ? market.sellRate : market.buyRate)
  const amountTo = divide(multiply(worth, parts.net), parts.charged, decimals)
  if (!isPositive(amountTo))
    throw notPayable(`${sold.amount} ${sold.currency} is less than the smallest unit of ${toCurrencySymbol}`)
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
    rate: divide(worth, amountFrom, RATE_DECIMALS),
    source: market.source,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + deps.quoteLifeMs),
  }
}
