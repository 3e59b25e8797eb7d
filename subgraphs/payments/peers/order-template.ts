import { parse } from 'graphql'
import type { RequestContext, SubgraphExecutor } from '../../../kernel/subgraph.js'
import { askPeer } from '../../../kernel/peer.js'
import type { PaymentMethods, SplitReceiver } from '../store/payment.entity.js'

/** What a checkout payment takes from its order. */
export interface OrderTemplate {
  id: string
  active: boolean
  paymentMethodAllowed: PaymentMethods
  splitPaymentConfig: SplitReceiver[]
  gatewayMethod: 'DIRECT' | 'SUBS'
  fromCurrencySymbol: string
  amountFrom: string
  toCurrencySymbol: string
  toChain: string | null
  onRamp: boolean
  tenantData: { publicClientId: string; webhookUrl: string } | null
}

const ORDER_TEMPLATE = parse(/* GraphQL */ `
  query OrderTemplate($id: ID!) {
    orderTemplate(id: $id) {
      id
      active
      paymentMethodAllowed {
        crypto
        pixcrypto
        cardcrypto
        cardfiat
        cryptofiat
        cryptopix
      }
      splitPaymentConfig {
        receiverWallet
        receiverPercent
        recipientId
        liable
        chargeProcessingFee
      }
      gatewayMethod
      fromCurrencySymbol
      amountFrom
      toCurrencySymbol
      toChain
      onRamp
      tenantData {
        publicClientId
        webhookUrl
      }
    }
  }
`)

/** The order a checkout payment is registered from. Throws order_not_found, also for another tenant's. */
export async function readOrderTemplate(
  orders: SubgraphExecutor,
  context: RequestContext,
  id: string,
): Promise<OrderTemplate> {
  const { orderTemplate } = await askPeer<{ orderTemplate: OrderTemplate }>(orders, ORDER_TEMPLATE, { id }, context)
  return orderTemplate
}
