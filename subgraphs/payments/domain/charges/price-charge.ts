import { validationError } from '../../../../kernel/errors.js'
import { compare, divide, isPositive, multiply, roundHalfUp } from '../../../../kernel/money.js'
import type { ChainAccess } from '../../model/chain-access.js'
import { lockQuote, type LockQuoteDeps } from '../../prices/lock-quote.js'
import type { Markets } from '../../prices/market.js'
import type { ChargeRail } from '../../rails/rail.js'
import { checkPayoutAmounts } from '../../settlement/check-payout-amounts.js'
import { payoutTarget } from '../../settlement/plan-payout.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Quote } from '../../store/quotes.js'

/** Ten digits and two decimals: what the API Pix can write, and more than any card takes. */
const AMOUNT_MAX = divide('999999999999', '100', 2)

/**
 * What the payer is charged in the provider's currency: the payment's amount, or its worth at the market's rate.
 * @throws validation_error, provider_unavailable, provider_timeout
 */
export async function chargedAmount(deps: Markets, { adapter }: ChargeRail, payment: Payment): Promise<string> {
  const { amountFrom, fromCurrencySymbol } = payment
  const market =
    fromCurrencySymbol === adapter.currency
      ? undefined
      : await deps.payableMarket(fromCurrencySymbol, adapter.currency, amountFrom)
  if (fromCurrencySymbol !== adapter.currency && !market) {
    throw notPayable(`there is no market from ${fromCurrencySymbol} to ${adapter.currency}`)
  }
  const amount = roundHalfUp(market ? multiply(amountFrom, market.rate) : amountFrom, adapter.decimals)
  if (!isPositive(amount)) throw notPayable(`${amountFrom} ${fromCurrencySymbol} is too little to be charged`)
  if (compare(amount, AMOUNT_MAX) > 0) throw notPayable('the amount is more than can be charged')
  return amount
}

/**
 * Prices what the treasury will pay the receivers, and refuses what it could not pay.
 * @param payerChain the chain that the payer named
 * @throws validation_error, provider_unavailable, provider_timeout
 */
export async function lockPayoutQuote(
  deps: LockQuoteDeps & ChainAccess,
  payment: Payment,
  payerChain: string | null | undefined,
): Promise<Quote> {
  const target = payoutTarget(deps, payment, payerChain)
  const quote = await lockQuote(deps, payment, target.asset.decimals)
  await checkPayoutAmounts(deps, payment, target, quote.amountTo)
  return quote
}

function notPayable(message: string): Error {
  return validationError([{ field: 'paymentId', message }])
}
