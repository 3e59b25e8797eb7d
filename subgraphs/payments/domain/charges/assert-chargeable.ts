import type { CreateTransactionInput } from '../../model/transaction-input.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Payment } from '../../store/payment.entity.js'
import { fiatReceivers } from './fiat-receivers.js'
import { priceCharge, priceFiatCharge, type PriceChargeDeps } from './price-charge.js'

/**
 * Refuses what a charge would refuse before its provider is asked: nothing is written, nobody is charged. For what has to be known
 * before something else is given up for the charge.
 * @throws validation_error, provider_unavailable, provider_timeout
 */
export async function assertChargeable(
  deps: PriceChargeDeps,
  rail: ChargeRail,
  payment: Payment,
  input: CreateTransactionInput,
): Promise<void> {
  if (fiatReceivers(rail, payment, input)) await priceFiatCharge(deps, rail, payment)
  else await priceCharge(deps, rail, payment, input.chainName)
}
