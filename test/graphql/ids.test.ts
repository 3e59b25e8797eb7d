import { isObjectType } from 'graphql'
import { describe, expect, it } from 'vitest'
import { loadApiSchema } from '../harness/api-schema.js'

/**
 * Whose ids a type has. A cache that goes by the id alone, as Relay's does, takes two objects of one id for one object: so a
 * type that is only about something names it by a field of its own (`ExecutedPayment.paymentId`), and has no `id`.
 */
const SUBJECTS: Readonly<Record<string, string>> = {
  Account: 'a tenant',
  ApiKey: 'an API key',
  AuditEntry: 'an entry of the audit log',
  CardToken: "a processor's token",
  Dispute: 'what a provider has taken back: rail, receipt and its own id',
  KycRecord: 'a verified person',
  OperatorAlert: 'an alert, with its kind before its number',
  Order: 'an order',
  Passkey: 'a passkey',
  Payment: 'a payment',
  PaymentReturn: 'what came and was not taken: rail, receipt and the id of its return',
  PaymentSubscription: 'a subscription',
  PayoutDecision: 'a decision about payouts',
  Person: 'a person of a tenant, or an invitation',
  Quote: 'a quote',
  ReconciliationDifference: 'a difference, with its kind before its number',
  Refund: 'a refund',
  Session: 'a session',
  // Who sees tenants is an operator, who has no account: nobody sees one id in both.
  Tenant: 'a tenant, for operators',
  WebhookDelivery: 'a delivery',
  WebhookEndpoint: 'a webhook endpoint',
  YieldStrategy: 'a strategy: provider, mint and market',
}

describe('an id', () => {
  it('is of one type: every type that has one says whose it is', () => {
    const types = Object.values(loadApiSchema().getTypeMap()).filter(
      (type) => isObjectType(type) && type.getFields()['id'] !== undefined,
    )
    expect(types.map(({ name }) => name).sort()).toEqual(Object.keys(SUBJECTS).sort())
    expect(new Set(Object.values(SUBJECTS)).size).toBe(types.length)
  })
})
