import type { OrderTemplate } from '../../peers/order-template.js'

/** What a checkout payment takes from its order. */
export function orderTerms(order: OrderTemplate) {
  const {
    id,
    sequence,
    paymentMethodAllowed,
    splitPaymentConfig,
    fromCurrencySymbol,
    amountFrom,
    toCurrencySymbol,
    toChain,
    onRamp,
  } = order
  return {
    executorId: 'order_transaction',
    orderCode: id,
    orderSequence: sequence,
    paymentMethodAllowed,
    splitPaymentConfig,
    gatewayMethod: order.gatewayMethod === 'SUBS' ? ('subs' as const) : ('direct' as const),
    fromCurrencySymbol,
    amountFrom,
    toCurrencySymbol,
    toChain,
    onRamp,
  }
}
