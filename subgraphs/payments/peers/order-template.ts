import { parse } from 'graphql'
import { AppError } from '../../../kernel/errors.js'
import { askPeer } from '../../../kernel/peer.js'
import type { RequestContext, SubgraphExecutor } from '../../../kernel/subgraph.js'
import { readTerms, type GraphTerms } from '../../../terms/graphql/read-terms.js'
import type { PaymentMethods } from '../../../terms/methods.js'
import type { SplitReceiver } from '../../../terms/split.js'
import { SUBSCRIPTION_INTERVALS, type SubscriptionConfig } from '../model/subscription.js'
import { wordIn } from './word-in.js'

/** What a checkout payment takes from its order. */
export interface OrderTemplate {
  id: string
  /** Of its last event; null for terms that are of no order. */
  sequence: number | null
  active: boolean
  paymentMethodAllowed: PaymentMethods
  splitPaymentConfig: SplitReceiver[]
  gatewayMethod: 'DIRECT' | 'SUBS'
  fromCurrencySymbol: string
  amountFrom: string
  toCurrencySymbol: string
  toChain: string | null
  onRamp: boolean
  successUrl: string | null
  cancelUrl: string | null
  tenantData: { publicClientId: string; webhookUrl: string } | null
  subscriptionPaymentConfig: SubscriptionConfig | null
}

const ORDER_TEMPLATE = parse(/* GraphQL */ `
  query OrderTemplate($id: ID!) {
    orderTemplate(id: $id) {
      id
      sequence
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
      successUrl
      cancelUrl
      tenantData {
        publicClientId
        webhookUrl
      }
      subscriptionPaymentConfig {
        planName
        interval
        nextPaymentAt
        charge
        retryCount
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
  const { orderTemplate } = await askPeer<{ orderTemplate: GraphTerms<OrderTemplate> }>(
    orders,
    ORDER_TEMPLATE,
    { id },
    context,
  )
  const order = readTerms<OrderTemplate>(orderTemplate)
  const { subscriptionPaymentConfig: config } = order
  const unknown = 'the orders subgraph answered an unknown interval'
  const interval = config && wordIn(SUBSCRIPTION_INTERVALS, config.interval, unknown)
  return { ...order, subscriptionPaymentConfig: interval && { ...config, interval } }
}

/** As `readOrderTemplate`; undefined where there is no such order. */
export async function findOrderTemplate(
  orders: SubgraphExecutor,
  context: RequestContext,
  id: string,
): Promise<OrderTemplate | undefined> {
  return readOrderTemplate(orders, context, id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'order_not_found') return undefined
    throw error
  })
}
