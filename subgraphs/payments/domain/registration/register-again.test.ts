import { describe, expect, it } from 'vitest'
import { RECEIVERS } from '../../../../test/harness/chains.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { outcomeOf } from '../../../../test/harness/refusal.js'
import { completeMethods } from '../../../../terms/methods.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import { tokenizeCard } from '../charges/tokenize-card.js'
import { cardData } from '../../fixtures/card-payments.js'
import { CARDS } from '../../../../sandbox/demo/card-payer.js'
import { registerCheckoutPayment } from './register-checkout-payment.js'
import { registerPayment, type RegisterPaymentInput } from './register-payment.js'

const harness = await startPaymentsHarness()
const deps = { ...harness.deps, checkIntegration: () => Promise.resolve([]) }

let replays = 0
const under = (key: string, changes: Partial<Tenant> = {}): Tenant => ({
  ...harness.tenant,
  idempotency: { key, fingerprint: 'the same', onReplay: () => (replays += 1) },
  ...changes,
})

const input: RegisterPaymentInput = {
  executorId: 'api_transaction',
  tenantData: { publicClientId: `pk_${'0'.repeat(32)}`, webhookUrl: 'https://127.0.0.1/hooks' },
  paymentMethodAllowed: { crypto: true },
  splitPaymentConfig: [{ receiverWallet: RECEIVERS[0], receiverPercent: 100 }],
  gatewayMethod: 'direct',
  fromCurrencySymbol: 'BRL',
  amountFrom: '100',
  toCurrencySymbol: 'USDT',
  toChain: 'polygon',
  onRamp: false,
  metadata: null,
}

describe('a repeated idempotency key', () => {
  it('answers the payment of an order again, whatever products and order have become', async () => {
    const order = {
      ...{
        id: 'corder0000000000000000009',
        sequence: 3,
        active: true,
        gatewayMethod: 'DIRECT' as const,
        onRamp: false,
      },
      ...{ fromCurrencySymbol: 'BRL', amountFrom: '100', toCurrencySymbol: 'USDT', toChain: 'polygon' },
      paymentMethodAllowed: completeMethods({ crypto: true }),
      splitPaymentConfig: input.splitPaymentConfig,
      ...{ subscriptionPaymentConfig: null, tenantData: null, successUrl: null, cancelUrl: null },
    }
    harness.orders.set(order.id, order)
    const register = (tenant: Tenant) => registerCheckoutPayment(deps, tenant, { orderCode: order.id })
    const first = await register(under('checkout'))
    expect(replays).toBe(0)
    expect(await harness.deps.payments.find(first.tenantId, first.id)).toMatchObject({ orderSequence: 3 })
    const poor = { products: [] }
    expect(await outcomeOf(register({ ...harness.tenant, ...poor }))).toBe('product_disabled')
    expect(await register(under('checkout', poor))).toEqual(first)
    harness.orders.set(order.id, { ...order, active: false, splitPaymentConfig: [] })
    expect(await register(under('checkout'))).toEqual(first)
    harness.orders.delete(order.id)
    expect(await register(under('checkout'))).toEqual(first)
    expect(replays).toBe(3)
    const other = { idempotency: { key: 'checkout', fingerprint: 'another', onReplay: () => undefined } }
    expect(await outcomeOf(register({ ...harness.tenant, ...other }))).toBe('idempotency_key_reused')
  })

  it('answers a registration again whose product and currency were switched off and whose integration is gone', async () => {
    const first = await registerPayment(deps, under('financial'), input)
    const later = {
      ...deps,
      settings: { ...deps.settings, enabledFiats: [], chains: [] },
      checkIntegration: (field: string) => Promise.resolve([{ field, message: 'is gone' }]),
    }
    expect(await outcomeOf(registerPayment(later, harness.tenant, input))).toBe('validation_error')
    expect(await outcomeOf(registerPayment(deps, { ...harness.tenant, products: [] }, input))).toBe('product_disabled')
    expect(await registerPayment(later, under('financial', { products: [] }), input)).toEqual(first)
  })

  it('answers the token of a card again when cards were switched off since', async () => {
    const { card } = cardData(CARDS.paid)
    if (!card) throw new Error('there is no card')
    const tokenize = (tenant: Tenant) => tokenizeCard(deps, tenant, { card })
    const first = await tokenize(under('token'))
    expect(await outcomeOf(tokenize({ ...harness.tenant, products: [] }))).toBe('product_disabled')
    expect(await tokenize(under('token', { products: [] }))).toEqual(first)
  })
})
