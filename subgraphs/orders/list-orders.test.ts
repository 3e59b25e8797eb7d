import { describe, expect, it, vi } from 'vitest'
import { MINIMAL_ORDER, type OrderAnswer, startOrdersHarness } from '../../test/harness/orders.js'

const tenantId = 'shop'
const harness = await startOrdersHarness()
/** Newest first: every third is a subscription, every second an on-ramp, the newest is switched off. */
const orders: OrderAnswer[] = []
for (let index = 0; index < 7; index += 1) {
  const input = {
    ...MINIMAL_ORDER,
    onRamp: index % 2 === 0,
    ...(index % 3 === 0 && {
      gatewayMethod: 'SUBS',
      subscriptionPaymentConfig: { planName: 'Gold', interval: 'MONTHLY' },
    }),
  }
  orders.unshift(await harness.must('createOrder', { input }, { tenantId }))
}
orders[0] = await harness.must('toggleOrder', { id: orders[0]?.id }, { tenantId })

interface Page {
  orders: OrderAnswer[]
  pagination: object
}
interface Connection {
  edges: { cursor: string; node: OrderAnswer }[]
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string | null; startCursor: string | null }
  totalCount: number
}

const page = async (variables: object) => (await harness.must('listOrders', variables, { tenantId })) as unknown as Page
const connection = async (variables: object) =>
  (await harness.must('connectOrders', variables, { tenantId })) as unknown as Connection
const isOnRamp = (order: OrderAnswer) => order['onRamp'] === true
const isSubscription = (order: OrderAnswer) => order['gatewayMethod'] === 'SUBS'

describe('the list by pages', () => {
  it('holds all orders, newest first, when nothing is asked for', async () => {
    expect(await page({})).toEqual({ orders, pagination: { total: 7, page: 1, limit: 20, totalPages: 1 } })
  })

  it('is cut into pages, and empty behind the last', async () => {
    expect(await page({ page: 2, limit: 3 })).toEqual({
      orders: orders.slice(3, 6),
      pagination: { total: 7, page: 2, limit: 3, totalPages: 3 },
    })
    expect((await page({ page: 3, limit: 3 })).orders).toEqual(orders.slice(6))
    expect(await page({ page: 2_000_000_000, limit: 100 })).toMatchObject({ orders: [], pagination: { total: 7 } })
  })

  it('is filtered before it is counted', async () => {
    const subscriptions = await page({ gatewayMethod: 'SUBS' })
    expect(subscriptions).toMatchObject({ orders: orders.filter(isSubscription), pagination: { total: 3 } })
    const both = await page({ gatewayMethod: 'DIRECT', onRamp: false })
    expect(both.orders).toEqual(orders.filter((order) => !isSubscription(order) && !isOnRamp(order)))
  })

  it('has no page for a tenant without orders', async () => {
    const answer = await harness.must('listOrders', {}, { tenantId: 'nobody' })
    expect(answer).toEqual({ orders: [], pagination: { total: 0, page: 1, limit: 20, totalPages: 0 } })
  })

  it.each([
    [{ page: 0 }, ['page']],
    [{ limit: 0 }, ['limit']],
    [{ limit: 101 }, ['limit']],
    [{ page: -1, limit: -1 }, ['page', 'limit']],
  ])('refuses %j', async (variables, fields) => {
    expect(await harness.send('listOrders', variables, { tenantId })).toMatchObject({
      code: 'VALIDATION_ERROR',
      fields,
    })
  })
})

describe('the list as a connection', () => {
  it('is walked from cursor to cursor without a gap or a repetition, and says when it ends', async () => {
    const walked: OrderAnswer[] = []
    let after: string | null = null
    for (let step = 0; step < 4; step += 1) {
      const { edges, pageInfo, totalCount }: Connection = await connection({ first: 2, after })
      expect(totalCount).toBe(7)
      expect(pageInfo).toMatchObject({
        hasNextPage: step < 3,
        hasPreviousPage: step > 0,
        startCursor: edges[0]?.cursor,
        endCursor: edges.at(-1)?.cursor,
      })
      walked.push(...edges.map(({ node }) => node))
      after = pageInfo.endCursor
    }
    expect(walked).toEqual(orders)
  })

  it('is filtered, also by whether orders are active', async () => {
    const nodes = async (filter: object) => (await connection({ filter })).edges.map(({ node }) => node)
    expect(await nodes({ active: false })).toEqual(orders.slice(0, 1))
    expect(await nodes({ active: true, onRamp: true })).toEqual(orders.slice(1).filter(isOnRamp))
    expect(await nodes({ gatewayMethod: 'SUBS' })).toEqual(orders.filter(isSubscription))
  })

  it('is counted without reading the orders, as each can be long', async () => {
    const count = (variables: object) => harness.send('countOrders', variables, { tenantId })
    // What reads the items fails now.
    await harness.query('alter table orders.payment_order rename order_items to hidden')
    try {
      expect((await count({})).answer).toEqual({ totalCount: 7 })
      const filter = { active: true, onRamp: true }
      expect((await count({ filter })).answer).toEqual({ totalCount: orders.slice(1).filter(isOnRamp).length })
      expect((await count({ first: 0 })).fields).toEqual(['first'])
    } finally {
      await harness.query('alter table orders.payment_order rename hidden to order_items')
    }
  })

  it('is read once for a document that lists several times, as each order can be long', async () => {
    const query = vi.spyOn(harness.pool, 'query')
    const { edges } = (await harness.must('connectTwice', {}, { tenantId })) as unknown as Connection
    expect(edges).toHaveLength(7)
    expect(query).toHaveBeenCalledOnce()
    // And anew for the next.
    await harness.must('connectTwice', {}, { tenantId })
    expect(query).toHaveBeenCalledTimes(2)
  })

  it('goes on behind its cursor when orders are created in between', async () => {
    const tenant = { tenantId: harness.newTenant() }
    const create = () => harness.must('createOrder', { input: MINIMAL_ORDER }, tenant)
    const [oldest, middle] = [await create(), await create()]
    const first = (await harness.must('connectOrders', { first: 1 }, tenant)) as unknown as Connection
    expect(first.edges.map(({ node }) => node.id)).toEqual([middle.id])
    await create()
    const after = first.pageInfo.endCursor
    const second = (await harness.must('connectOrders', { first: 5, after }, tenant)) as unknown as Connection
    expect(second.edges.map(({ node }) => node.id)).toEqual([oldest.id])
  })

  it.each([
    [{ first: 0 }, ['first']],
    [{ first: 101 }, ['first']],
    [{ after: 'nonsense' }, ['after']],
    [{ first: -1, after: '' }, ['first', 'after']],
  ])('refuses %j', async (variables, fields) => {
    const outcome = await harness.send('connectOrders', variables, { tenantId })
    expect(outcome).toMatchObject({ code: 'VALIDATION_ERROR', fields })
  })
})

describe('orders of another tenant', () => {
  it('answer every operation exactly as orders that do not exist, and stay as they are', async () => {
    const other = { tenantId: 'other' }
    const mine = orders[1]
    const id = mine?.id
    const nobodys = 'c'.padEnd(25, '0')
    for (const name of ['findOrder', 'orderTemplate', 'toggleOrder', 'activateOrder', 'deactivateOrder'] as const) {
      const outcome = await harness.send(name, { id }, other)
      expect(outcome).toMatchObject({ code: 'ORDER_NOT_FOUND' })
      expect(outcome).toEqual(await harness.send(name, { id: nobodys }, other))
    }
    expect((await harness.send('findOrderAt', { id, sequence: 1 }, other)).code).toBe('ORDER_NOT_FOUND')
    expect((await harness.send('updateOrder', { id, input: { amountFrom: '1' } }, other)).code).toBe('ORDER_NOT_FOUND')
    expect(await harness.must('listOrders', {}, other)).toMatchObject({ orders: [] })
    expect(await harness.must('connectOrders', {}, other)).toMatchObject({ edges: [], totalCount: 0 })
    expect(await harness.must('findOrder', { id }, { tenantId })).toEqual(mine)
  })

  it('are null as references, among those that are found in the order they were asked for', async () => {
    const ids = [orders[2]?.id, 'c'.padEnd(25, '0'), orders[0]?.id, orders[2]?.id]
    const representations = ids.map((id) => ({ __typename: 'Order', id }))
    const answer = await harness.must('references', { representations }, { tenantId })
    expect(answer).toEqual([orders[2], null, orders[0], orders[2]])
    const foreign = await harness.must('references', { representations }, { tenantId: 'other' })
    expect(foreign).toEqual(ids.map(() => null))
  })
})
