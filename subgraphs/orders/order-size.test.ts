import { describe, expect, it } from 'vitest'
import { RECEIVERS } from '../../test/harness/chains.js'
import { MINIMAL_ORDER, startOrdersHarness } from '../../test/harness/orders.js'

const harness = await startOrdersHarness()

const itemsOf = (length: number, description = '') =>
  Array.from({ length }, (_, index) => ({ name: `Part ${index}`, quantity: 1, description }))
const receiver = { receiverWallet: RECEIVERS[0], receiverPercent: '100' }
const LONG = 'x'.repeat(70_000)

async function created(changes: object = {}) {
  const tenantId = harness.newTenant()
  const order = await harness.must('createOrder', { input: { ...MINIMAL_ORDER, ...changes } }, { tenantId })
  return {
    id: order.id,
    update: (input: object) => harness.send('updateOrder', { id: order.id, input }, { tenantId }),
    read: () => harness.must('findOrder', { id: order.id }, { tenantId }),
    events: async () => {
      const rows = await harness.query('select sequence from orders.order_event where order_id = $1', [order.id])
      return rows.length
    },
    /** Puts items into the order as they could be stored before there were bounds. */
    store: (items: object[]) =>
      harness.query('update orders.payment_order set order_items = $2::jsonb where id = $1', [
        order.id,
        JSON.stringify(items),
      ]),
  }
}

describe('how large an order may be', () => {
  it('100 items of 600 bytes each, and no item more', async () => {
    const tenantId = harness.newTenant()
    const create = (orderItems: object[]) =>
      harness.send('createOrder', { input: { ...MINIMAL_ORDER, orderItems } }, { tenantId })
    expect(await create(itemsOf(101))).toMatchObject({ code: 'VALIDATION_ERROR', fields: ['orderItems'] })
    expect((await create(itemsOf(100, 'x'.repeat(550)))).code).toBeUndefined()
    expect(
      await harness.query('select number from orders.payment_order where tenant_id = $1', [tenantId]),
    ).toHaveLength(1)
  })

  it.each([
    ['orderItems', { orderItems: itemsOf(1, LONG) }],
    // Bytes count, and not characters.
    ['orderItems', { orderItems: itemsOf(1, 'ã'.repeat(35_000)) }],
    ['executorId', { executorId: LONG, orderItems: itemsOf(1) }],
    ['splitPaymentConfig', { splitPaymentConfig: [{ ...receiver, recipientId: LONG }] }],
    ['toCurrencySymbol', { toCurrencySymbol: LONG }],
  ])('64 KiB as JSON, created or updated: what is too long in %s is named', async (field, input) => {
    const tenantId = harness.newTenant()
    const outcome = await harness.send('createOrder', { input: { ...MINIMAL_ORDER, ...input } }, { tenantId })
    expect(outcome).toMatchObject({ code: 'VALIDATION_ERROR', fields: [field] })
    const { update, events } = await created()
    expect(await update(input)).toMatchObject({ code: 'VALIDATION_ERROR', fields: [field] })
    expect(await events()).toBe(1)
  })

  it('not more by any number of updates, which leave it as it was', async () => {
    const { update, read, events } = await created({ orderItems: itemsOf(60) })
    const before = await read()
    const appended = [...Array.from({ length: 60 }, () => ({})), ...itemsOf(41)]
    expect(await update({ orderItems: appended })).toMatchObject({ code: 'VALIDATION_ERROR', fields: ['orderItems'] })
    expect(await read()).toEqual(before)
    const described = (index: number) => [
      ...Array.from({ length: index }, () => ({})),
      { description: 'x'.repeat(30_000) },
    ]
    expect((await update({ orderItems: described(0) })).code).toBeUndefined()
    expect((await update({ orderItems: described(1) })).code).toBeUndefined()
    expect(await update({ orderItems: described(2) })).toMatchObject({ fields: ['orderItems'] })
    expect(await update({ executorId: LONG })).toMatchObject({ fields: ['executorId'] })
    expect(await events()).toBe(3)
  })

  it('is told together with what is wrong elsewhere', async () => {
    const input = { orderItems: itemsOf(101), amountFrom: '0' }
    const { update } = await created()
    expect((await update(input)).fields.toSorted()).toEqual(['amountFrom', 'orderItems'])
    const outcome = await harness.send('createOrder', { input: { ...MINIMAL_ORDER, ...input } })
    expect(outcome.fields.toSorted()).toEqual(['amountFrom', 'orderItems'])
  })

  it('an order that was larger before stays readable and usable, and can only become smaller', async () => {
    const { update, read, store } = await created()
    await store(itemsOf(150, 'x'.repeat(1_000)))
    expect((await read()).orderItems).toHaveLength(150)
    expect((await update({ amountFrom: '1000.00' })).code).toBeUndefined()
    expect((await update({ orderItems: [{ description: 'x'.repeat(1_001) }] })).fields).toEqual(['orderItems'])
    const more = [...Array.from({ length: 150 }, () => ({})), ...itemsOf(1)]
    expect((await update({ orderItems: more })).fields).toEqual(['orderItems'])
    expect((await update({ orderItems: [{ description: 'short' }] })).code).toBeUndefined()
    expect((await update({ orderItems: null })).code).toBeUndefined()
    expect((await read()).orderItems).toEqual([])
  })

  it("a plan's name has 200 characters; one that was longer before stays, and is not made another long one", async () => {
    const input = (length: number) => ({
      gatewayMethod: 'SUBS',
      subscriptionPaymentConfig: { planName: 'x'.repeat(length), interval: 'WEEKLY' },
    })
    const refused = { code: 'VALIDATION_ERROR', fields: ['subscriptionPaymentConfig.planName'] }
    expect(await harness.send('createOrder', { input: { ...MINIMAL_ORDER, ...input(201) } })).toMatchObject(refused)
    const { id, update, read } = await created(input(200))
    expect(await update(input(201))).toMatchObject(refused)
    await harness.query(
      `update orders.payment_order set subscription_payment_config = jsonb_set(subscription_payment_config, '{planName}',
        to_jsonb(repeat('y', 5000))) where id = $1`,
      [id],
    )
    expect((await update({ subscriptionPaymentConfig: { interval: 'YEARLY' } })).code).toBeUndefined()
    const again = { subscriptionPaymentConfig: { planName: 'y'.repeat(5_000), retryCount: 1 }, amountFrom: '12.00' }
    expect((await update(again)).code).toBeUndefined()
    expect(await update(input(4_999))).toMatchObject(refused)
    expect((await update(input(199))).code).toBeUndefined()
    expect(await read()).toMatchObject({ subscriptionPaymentConfig: { planName: 'x'.repeat(199) } })
  })
})
