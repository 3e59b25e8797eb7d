import { compare, isPositive, multiply, roundHalfUp } from '../../../../kernel/money.js'
import { CHARGED_MAX } from '../../../../terms/amount.js'
import type { ChainAccess } from '../../model/chain-access.js'
import { chargedParts } from '../../model/fees.js'
import { notPayable } from '../../model/not-payable.js'
import { lockQuote, type LockQuoteDeps } from '../../prices/lock-quote.js'
import type { Markets } from '../../prices/market.js'
import type { ChargeRail } from '../../rails/rail.js'
import { checkPayoutAmounts } from '../../settlement/check-payout-amounts.js'
import { checkChargedFor, payoutTarget } from '../../settlement/plan-payout.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Quote } from '../../store/quotes.js'
import type { Stores } from '../../store/stores.js'

/** What pricing a charge needs. */
export type PriceChargeDeps = LockQuoteDeps & ChainAccess & Pick<Stores, 'fees'>

/**
 * What the payer is charged in the provider's currency: the payment's amount, or what it costs to buy it.
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
  const amount = roundHalfUp(market ? multiply(amountFrom, market.buyRate) : amountFrom, adapter.decimals)
  if (!isPositive(amount)) throw notPayable(`${amountFrom} ${fromCurrencySymbol} is too little to be charged`)
  if (compare(amount, CHARGED_MAX) > 0) throw notPayable('the amount is more than can be charged')
  return amount
}

/** What the payer is charged where the provider shares it out in fiat, and what of it is the platform's; null where nothing is. */
export interface FiatCharge {
  amount: string
  platformFee: string | null
  feeRecipient: string | null
}

export const NO_FIAT_FEE = { platformFee: null, feeRecipient: null } as const

/**
 * Prices what the provider shares out by itself: the fee comes off before the receivers' shares, by the tenant's terms of now.
 * @throws validation_error, provider_unavailable, provider_timeout
 */
export async function priceFiatCharge(
  deps: Markets & Pick<Stores, 'fees'>,
  rail: ChargeRail,
  payment: Payment,
): Promise<FiatCharge> {
  const amount = await chargedAmount(deps, rail, payment)
  const { feeRecipient } = rail.adapter
  if (feeRecipient === undefined) return { amount, ...NO_FIAT_FEE }
  const terms = await deps.fees.terms(payment.tenantId, rail.name)
  // Nothing is converted, so that there is no rate to be worse than the market's.
  const parts = chargedParts({ ...terms, spreadPercent: '0' }, amount, rail.adapter.decimals)
  if (!parts) throw notPayable(`the fee leaves nothing of ${amount} ${rail.adapter.currency} for the receivers`)
  return { amount, ...(isPositive(parts.fee) ? { platformFee: parts.fee, feeRecipient } : NO_FIAT_FEE) }
}

/** What the payer is charged, and what the treasury pays the receivers for it. */
export interface PricedCharge {
  /** In the provider's currency. */
  amount: string
  quote: Quote
}

/**
 * Prices what the payer is charged and what the treasury will pay the receivers, less what the platform takes by the tenant's
 * terms of now; refuses what could not be paid.
 * @param payerChain the chain that the payer named
 * @throws validation_error, provider_unavailable, provider_timeout
 */
export async function priceCharge(
  deps: PriceChargeDeps,
  rail: ChargeRail,
  payment: Payment,
  payerChain: string | null | undefined,
): Promise<PricedCharge> {
  const target = payoutTarget(deps, payment, payerChain)
  checkChargedFor(target)
  const amount = await chargedAmount(deps, rail, payment)
  const terms = await deps.fees.terms(payment.tenantId, rail.name)
  const parts = chargedParts(terms, amount, rail.adapter.decimals)
  if (!parts) throw notPayable(`the fees leave nothing of ${amount} ${rail.adapter.currency} for the receivers`)
  const quote = await lockQuote(deps, payment, target.asset.decimals, 'payout', parts)
  await checkPayoutAmounts(deps, payment, target, quote.amountTo)
  return { amount, quote }
}
