import { validationError } from '../../../kernel/errors.js'
import { isPositive, multiply, roundHalfUp } from '../../../kernel/money.js'
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
 * Prices a payment now: `amount_from × rate`, rounded half up to the token's decimals, good until it expires.
 * @param decimals of the token that the receivers get
 * @throws validation_error where there is no market or nothing is left after rounding, provider_unavailable, provider_timeout
 */
export async function lockQuote(deps: LockQuoteDeps, payment: Payment, decimals: number): Promise<Quote> {
  const { fromCurrencySymbol, amountFrom, toCurrencySymbol, tenantId, id: paymentId } = payment
  const market = await deps.payableMarket(fromCurrencySymbol, toCurrencySymbol, amountFrom)
  if (!market) throw notPayable(`there is no market from ${fromCurrencySymbol} to ${toCurrencySymbol}`)
  const amountTo = roundHalfUp(multiply(amountFrom, market.rate), decimals)
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
    rate: market.rate,
    source: market.source,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + deps.quoteLifeMs),
  }
}

function notPayable(message: string): Error {
  return validationError([{ field: 'paymentId', message }])
}
