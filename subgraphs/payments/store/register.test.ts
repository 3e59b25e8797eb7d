import { describe, expect, it } from 'vitest'
import type { Tenant } from '../../../kernel/tenant.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { completeMethods } from '../../../terms/methods.js'
import type { NewPayment } from './payment.entity.js'
import { paymentsStore } from './payments.js'

describe('registrations that come at the same time', async () => {
  const harness = await startPaymentsHarness()

  const newPayment = (changes: Partial<NewPayment> = {}): NewPayment => ({
    id: harness.options.newId(),
    tenantId: harness.tenant.id,
    executorId: 'api_transaction',
    orderCode: null,
    orderSequence: null,
    publicClientId: null,
    webhookUrl: null,
    paymentMethodAllowed: completeMethods({ crypto: true }),
    splitPaymentConfig: [{ receiverWallet: '0x1111111111111111111111111111111111111111', receiverPercent: 100 }],
    gatewayMethod: 'direct',
    fromCurrencySymbol: 'BRL',
    amountFrom: '0.100000000000000001',
    toCurrencySymbol: 'USDT',
    toChain: 'polygon',
    onRamp: false,
    metadata: null,
    subscriptionConfig: null,
    createdAt: harness.clock.now(),
    ...changes,
  })
  const tenantWith = (key: string, id = harness.tenant.id): Tenant => ({
    ...harness.tenant,
    id,
    idempotency: { key, fingerprint: 'the same', onReplay: () => undefined },
  })

  it('of two processes with the same keys in opposite orders all end, with one payment for each key', async () => {
    const { db, clock } = harness
    const keys = Array.from({ length: 40 }, (_, index) => `key-${index}`)
    for (let round = 0; round < 5; round += 1) {
      const register = (store: ReturnType<typeof paymentsStore>, names: readonly string[]) =>
        names.map((name) => store.register(tenantWith(`${name}-${round}`), newPayment()))
      const [one, two] = await Promise.all([
        Promise.all(register(paymentsStore(db, clock), keys)),
        Promise.all(register(paymentsStore(db, clock), keys.toReversed())),
      ])
      expect(two.map(({ id }) => id).toReversed()).toEqual(one.map(({ id }) => id))
    }
  })

  it('of several tenants stay with their own, whatever their keys and data', async () => {
    const store = paymentsStore(harness.db, harness.clock)
    const metadata = [null, { text: `it's "quoted" \\ and 日本 😀`, list: [1.5, 1e21, null] }, 'a text', 0, false, []]
    const given = metadata.map((data, index) => newPayment({ tenantId: `tenant-${index}`, metadata: data }))
    const stored = await Promise.all(
      given.map((payment) => store.register(tenantWith('one key for all', payment.tenantId), payment)),
    )
    expect(stored.map(({ id }) => id)).toEqual(given.map(({ id }) => id))
    for (const [index, payment] of given.entries()) {
      expect(await store.find(payment.tenantId, payment.id)).toEqual(stored[index])
      expect(await store.find('tenant-x', payment.id)).toBeUndefined()
      expect(stored[index]).toMatchObject({ metadata: payment.metadata, amountFrom: '0.100000000000000001' })
    }
  })
})
