import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RECEIVERS } from '../../test/harness/chains.js'
import { MINIMAL_ORDER, SOLANA_RECEIVER, startOrdersHarness } from '../../test/harness/orders.js'

const harness = await startOrdersHarness()

const SPLIT = [
  { receiverWallet: RECEIVERS[0], receiverPercent: '60', recipientId: 're_1' },
  { receiverWallet: RECEIVERS[1], receiverPercent: '40' },
]
const DUE = '2030-03-17T17:46:40.000Z'
const FULL_ORDER = {
  ...MINIMAL_ORDER,
  toChain: 'polygon',
  paymentMethodAllowed: { crypto: true },
  orderItems: [{ name: 'Mug', quantity: 2, description: 'Blue' }],
  splitPaymentConfig: SPLIT,
}

async function createFull(changes: object = {}) {
  const tenantId = harness.newTenant()
  const order = await harness.must('createOrder', { input: { ...FULL_ORDER, ...changes } }, { tenantId })
  const update = (input: object) => harness.send('updateOrder', { id: order.id, input }, { tenantId })
  const read = () => harness.must('findOrder', { id: order.id }, { tenantId })
  return { order, tenantId, update, read }
}

describe('updating an order', () => {
  it('changes the plain fields that are sent and no others', async () => {
    const { order, update, read } = await createFull()
    harness.clock.advance(1000)
    const input = { executorId: 'shop', fromCurrencySymbol: 'USD', amountFrom: '99.90', onRamp: true }
    const { answer } = await update(input)
    expect(answer).toEqual({ ...order, ...input, sequence: 2, updatedAt: expect.any(String) })
    expect(Date.parse((await read()).updatedAt)).toBeGreaterThan(Date.parse(order.updatedAt))
    expect(await read()).toEqual(answer)
  })

  it('merges one field of one receiver into what is stored', async () => {
    const { update } = await createFull()
    const { answer } = await update({
      splitPaymentConfig: [{ receiverPercent: '70' }, { receiverPercent: '30', liable: true }],
    })
    expect(answer).toHaveProperty('splitPaymentConfig', [
      { ...SPLIT[0], receiverPercent: '70', liable: null, chargeProcessingFee: null },
      { ...SPLIT[1], receiverPercent: '30', liable: true, recipientId: null, chargeProcessingFee: null },
    ])
  })

  it('replaces the allowed methods, as they are one choice', async () => {
    const { update } = await createFull()
    const { answer } = await update({ paymentMethodAllowed: { cardcrypto: true } })
    expect(answer).toMatchObject({ paymentMethodAllowed: { crypto: false, cardcrypto: true } })
  })

  it("merges a subscription's terms field by field and demands complete ones where there were none", async () => {
    const { update, read } = await createFull()
    const incomplete = await update({ gatewayMethod: 'SUBS', subscriptionPaymentConfig: { charge: true } })
    expect(incomplete.fields).toEqual(['subscriptionPaymentConfig.planName', 'subscriptionPaymentConfig.interval'])
    await update({
      gatewayMethod: 'SUBS',
      subscriptionPaymentConfig: { planName: 'Gold', interval: 'WEEKLY', retryCount: 2 },
    })
    await update({ subscriptionPaymentConfig: { interval: 'YEARLY', nextPaymentAt: DUE, retryCount: null } })
    const cleared = await update({ subscriptionPaymentConfig: { planName: null, interval: null } })
    expect(cleared.fields).toEqual(incomplete.fields)
    expect(await read()).toMatchObject({
      gatewayMethod: 'SUBS',
      subscriptionPaymentConfig: {
        planName: 'Gold',
        interval: 'YEARLY',
        nextPaymentAt: DUE,
        charge: false,
        retryCount: 0,
      },
      sequence: 3,
    })
  })

  it('moves to another chain, and null clears what an order can be without', async () => {
    const { order, update } = await createFull({ splitPaymentConfig: [] })
    const subscription = { planName: 'Gold', interval: 'WEEKLY' }
    const moved = { toChain: 'solana', toCurrencySymbol: 'USDC', subscriptionPaymentConfig: subscription }
    expect((await update(moved)).answer).toMatchObject({ toChain: 'solana', toCurrencySymbol: 'USDC' })
    const nothing = { toChain: null, orderItems: null, splitPaymentConfig: null, subscriptionPaymentConfig: null }
    const { answer } = await update({ ...nothing, paymentMethodAllowed: null })
    expect(answer).toMatchObject({
      toChain: null,
      orderItems: [],
      splitPaymentConfig: [],
      subscriptionPaymentConfig: null,
      paymentMethodAllowed: { crypto: true, pixcrypto: true, cardcrypto: true, cardfiat: true },
      executorId: order['executorId'],
    })
  })

  it('is refused where what null clears is needed, or the chain has not the stored token', async () => {
    const { order, update, read } = await createFull({ splitPaymentConfig: [] })
    expect((await update({ gatewayMethod: 'SUBS', subscriptionPaymentConfig: null })).fields).toEqual([
      'subscriptionPaymentConfig',
    ])
    expect((await update({ toChain: 'solana' })).fields).toEqual(['toCurrencySymbol'])
    expect((await update({ toChain: 'nowhere' })).fields).toEqual(['toChain'])
    expect(await read()).toEqual(order)
  })

  it('merges lists by index like a model of them, over any sequence of updates', async () => {
    const text = fc.string({ minLength: 1, maxLength: 8 }).filter((value) => value.trim() !== '')
    const whole = { name: text, quantity: fc.integer({ min: 1, max: 9 }), description: text, imageUrl: fc.webUrl() }
    const part = { name: fc.option(text), quantity: fc.option(whole.quantity), description: fc.option(text) }
    const updates = fc.array(fc.array(fc.record(part, { requiredKeys: [] }), { maxLength: 4 }), { maxLength: 5 })
    const items = fc.array(fc.record(whole, { requiredKeys: ['name', 'quantity'] }), { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(items, updates, async (orderItems, sequence) => {
        const { update, read } = await createFull({ orderItems })
        const empty = { name: null, quantity: null, description: null, imageUrl: null }
        let model: Record<string, unknown>[] = orderItems.map((item) => ({ ...empty, ...item }))
        for (const sent of sequence) {
          const length = Math.max(model.length, sent.length)
          const merged = Array.from({ length }, (_, index): Record<string, unknown> => {
            return { ...empty, ...model[index], ...sent[index] }
          })
          const missing = merged.flatMap((item, index) =>
            (['name', 'quantity'] as const)
              .filter((field) => item[field] === null)
              .map((field) => `orderItems.${index}.${field}`),
          )
          const outcome = await update({ orderItems: sent })
          expect([...outcome.fields].sort()).toEqual(missing.sort())
          if (missing.length === 0) model = merged
        }
        expect((await read()).orderItems).toEqual(model)
      }),
      { numRuns: 30 },
    )
  })
})

describe('what an update is refused for', () => {
  it.each<[string, object, string[]]>([
    [
      'null for what an item needs, of the stored and behind the last',
      { orderItems: [{ name: null }, { name: 'Pen', quantity: null }] },
      ['orderItems.0.name', 'orderItems.1.quantity'],
    ],
    [
      'null for what a receiver needs',
      { splitPaymentConfig: [{ receiverWallet: null }, { receiverPercent: null }] },
      ['splitPaymentConfig.0.receiverWallet', 'splitPaymentConfig.1.receiverPercent'],
    ],
    ['a fiat currency that is not enabled', { fromCurrencySymbol: 'EUR' }, ['fromCurrencySymbol']],
    [
      'Pix while the stored order is an on-ramp',
      { onRamp: true, paymentMethodAllowed: { pixcrypto: true } },
      ['onRamp'],
    ],
    ['a token that the stored chain does not have', { toCurrencySymbol: 'BTC' }, ['toCurrencySymbol']],
    ['a share that breaks the stored sum', { splitPaymentConfig: [{ receiverPercent: '61' }] }, ['splitPaymentConfig']],
    ['a subscription without terms, sent or stored', { gatewayMethod: 'SUBS' }, ['subscriptionPaymentConfig']],
    [
      'an address of another chain than the stored',
      { splitPaymentConfig: [{ receiverWallet: SOLANA_RECEIVER }] },
      ['splitPaymentConfig.0.receiverWallet'],
    ],
    [
      'an appended receiver without a wallet',
      { splitPaymentConfig: [{}, { receiverPercent: '20' }, { receiverPercent: '20' }] },
      ['splitPaymentConfig.2.receiverWallet'],
    ],
  ])('%s', async (_, input, fields) => {
    const { order, update, read } = await createFull()
    expect(await update(input)).toMatchObject({ code: 'VALIDATION_ERROR', fields })
    expect(await read()).toEqual(order)
  })

  it.each([
    ['nothing', {}, 'NO_FIELDS_TO_UPDATE'],
    ['methods of which none is allowed', { paymentMethodAllowed: { crypto: false } }, 'INVALID_PARAMETERS'],
  ])('%s', async (_, input, code) => {
    const { order, update, read } = await createFull()
    expect(await update(input)).toMatchObject({ code, fields: [] })
    expect(await read()).toEqual(order)
  })

  it('a method whose product is off', async () => {
    const { order, tenantId } = await createFull()
    const variables = { id: order.id, input: { paymentMethodAllowed: { cardfiat: true } } }
    expect((await harness.send('updateOrder', variables, { tenantId, products: ['crypto'] })).code).toBe(
      'PRODUCT_DISABLED',
    )
  })

  it('an order that does not exist, but for its own faults first', async () => {
    const codeOf = async (id: string, input: object) => (await harness.send('updateOrder', { id, input })).code
    const unknown = 'c'.padEnd(25, '0')
    expect(await codeOf(unknown, { amountFrom: '1' })).toBe('ORDER_NOT_FOUND')
    expect(await codeOf('no id', { amountFrom: '1' })).toBe('ORDER_NOT_FOUND')
    expect(await codeOf(unknown, { amountFrom: '0' })).toBe('VALIDATION_ERROR')
    expect(await codeOf(unknown, {})).toBe('NO_FIELDS_TO_UPDATE')
  })
})

describe('toggling an order', () => {
  it('switches it off and on again', async () => {
    const { order, tenantId } = await createFull()
    const toggle = () => harness.must('toggleOrder', { id: order.id }, { tenantId })
    expect(await toggle()).toEqual({ ...order, active: false, sequence: 2, updatedAt: expect.any(String) })
    expect(await harness.must('orderTemplate', { id: order.id }, { tenantId })).toMatchObject({ active: false })
    expect(await toggle()).toMatchObject({ active: true, sequence: 3 })
  })

  it('to a named state can be repeated, and tells nothing twice', async () => {
    const { order, tenantId } = await createFull()
    const say = (name: 'activateOrder' | 'deactivateOrder') => harness.must(name, { id: order.id }, { tenantId })
    expect(await say('activateOrder')).toEqual(order)
    const off = await say('deactivateOrder')
    expect(off).toMatchObject({ active: false, sequence: 2 })
    expect(await say('deactivateOrder')).toEqual(off)
    expect(await say('activateOrder')).toMatchObject({ active: true, sequence: 3 })
    const events = await harness.query('select sequence from orders.order_event where order_id = $1', [order.id])
    expect(events).toHaveLength(3)
  })
})

describe("an order's history", () => {
  it('holds the order as it was after each event, and a job for each', async () => {
    const { order, tenantId, update } = await createFull()
    const updated = (await update({ amountFrom: '20' })).answer
    const toggled = await harness.must('toggleOrder', { id: order.id }, { tenantId })
    const at = (sequence: number) => harness.send('findOrderAt', { id: order.id, sequence }, { tenantId })
    expect((await at(1)).answer).toEqual(order)
    expect((await at(2)).answer).toEqual(updated)
    expect((await at(3)).answer).toEqual(toggled)
    expect((await at(4)).code).toBe('ORDER_NOT_FOUND')
    const events = await harness.query('select type from orders.order_event where order_id = $1 order by sequence', [
      order.id,
    ])
    expect(events.map(({ type }) => type)).toEqual(['order.created', 'order.updated', 'order.updated'])
    const jobs = await harness.query(
      `select (payload ->> 'sequence')::int as sequence from graphile_worker._private_jobs
       where payload ->> 'resourceId' = $1 order by 1`,
      [order.id],
    )
    expect(jobs.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
  })

  it('has no gap and no branch when updates race', async () => {
    const { order, tenantId, update, read } = await createFull({ orderItems: [] })
    const amounts = Array.from({ length: 20 }, (_, index) => `${index + 1}`)
    const outcomes = await Promise.all(amounts.map((amountFrom) => update({ amountFrom })))
    const sequences = outcomes.map(({ answer }) => (answer as { sequence: number }).sequence)
    expect(sequences.toSorted((a, b) => a - b)).toEqual(amounts.map((_, index) => index + 2))
    const last = outcomes.find(({ answer }) => (answer as { sequence: number }).sequence === 21)
    expect(await read()).toEqual(last?.answer)
    expect((await harness.send('findOrderAt', { id: order.id, sequence: 21 }, { tenantId })).answer).toEqual(
      last?.answer,
    )
  })
})
