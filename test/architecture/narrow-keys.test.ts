import 'reflect-metadata'
import { getNamedType, isCompositeType, isObjectType, type GraphQLResolveInfo, type GraphQLSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../kernel/errors.js'
import { SCOPES } from '../../kernel/permissions.js'
import { accountsSubgraph } from '../../subgraphs/accounts/subgraph.js'
import { kycSubgraph } from '../../subgraphs/kyc/subgraph.js'
import { ordersSubgraph } from '../../subgraphs/orders/subgraph.js'
import { paymentsSubgraph } from '../../subgraphs/payments/subgraph.js'
import { yieldSubgraph } from '../../subgraphs/yield/subgraph.js'

const subgraphs = [accountsSubgraph, kycSubgraph, ordersSubgraph, paymentsSubgraph, yieldSubgraph]

/** Of a key that may write everything and read nothing. */
const scopes = SCOPES.filter((scope) => !scope.endsWith(':read'))
const caller = { tenantId: 'tenant', keyId: 'key', products: [], scopes }

/** The steps of a subgraph from an object to what else has fields, and whether a key is refused them before anything is read. */
async function stepsOf(schema: GraphQLSchema): Promise<{ step: string; isRefused: boolean }[]> {
  const roots = [schema.getQueryType(), schema.getMutationType()]
  const types = Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith('__'))
  const steps = []
  for (const type of types.filter(isObjectType).filter((one) => !roots.includes(one))) {
    for (const { name, type: target, resolve } of Object.values(type.getFields())) {
      // What has no resolver shows what its object was made with.
      if (!resolve || !isCompositeType(getNamedType(target))) continue
      const ask = async (): Promise<unknown> => resolve({}, {}, { caller }, {} as GraphQLResolveInfo)
      const failure: unknown = await ask().catch((error: unknown) => error)
      const isRefused = failure instanceof AppError && failure.code === 'permission_denied'
      steps.push({ step: `${type.name}.${name}`, isRefused })
    }
  }
  return steps
}

const steps = (await Promise.all(subgraphs.map((build) => stepsOf(build().schema)))).flat()
const stepsThatAre = (refused: boolean): string[] =>
  steps.filter(({ isRefused }) => isRefused === refused).map(({ step }) => step)

describe('a step from an object to others, for a key that may only write', () => {
  it('is refused where it leads to payments, subscriptions, refunds or verifications', () => {
    expect(stepsThatAre(true).toSorted()).toEqual([
      'Dispute.payment',
      'Order.payments',
      'Order.subscriptions',
      'Payment.payerVerification',
      'Payment.refunds',
      'Payment.subscription',
      'PaymentReturn.payment',
      'PaymentSubscription.firstPayment',
      'PaymentSubscription.payment',
      'PaymentSubscription.payments',
      'Refund.payment',
      'StatementLine.payment',
    ])
  })

  it('is open where it leads to more of the same object, or to the id of one that another subgraph guards', () => {
    expect(stepsThatAre(false).toSorted()).toEqual([
      // Of the tenant itself, and of who is signed in.
      'Account.integrations',
      'Account.products',
      'ConsoleSessionType.invitations',
      'ConsoleSessionType.tenants',
      'Payment.address',
      'Payment.card',
      'Payment.disputes',
      'Payment.events',
      'Payment.fees',
      'Payment.heldPayouts',
      'Payment.history',
      'Payment.instantTransfer',
      'Payment.order',
      'Payment.orderItems',
      'Payment.payerCharge',
      'Payment.payouts',
      'Payment.quote',
      'Payment.returns',
      'Payment.subscriptionTerms',
      'Payment.tenantData',
      'PaymentSubscription.events',
      'PaymentSubscription.history',
      'PaymentSubscription.order',
      'PaymentSubscription.tenantData',
      'Refund.tenantData',
      'WebhookDelivery.attempts',
      'WebhookDelivery.resource',
    ])
  })
})
