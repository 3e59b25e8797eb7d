import { describe, expect, it } from 'vitest'
import { MINIMAL_ORDER, startOrdersHarness } from '../../test/harness/orders.js'
import { readsOf } from '../../test/harness/reads-of.js'
import { LIST, LIST_KINDS } from './store/order-reads.js'

const harness = await startOrdersHarness()
const create = (tenantId: string) => harness.send('createOrder', { input: MINIMAL_ORDER }, { tenantId })
const idOf = ({ answer }: Awaited<ReturnType<typeof create>>) => String((answer as { id?: string } | null)?.id)

describe('a deleted order', () => {
  it('is in no list and cannot be found, changed or deleted again, and its payments still show it', async () => {
    const tenantId = harness.newTenant()
    const id = idOf(await create(tenantId))
    const kept = idOf(await create(tenantId))
    expect((await harness.send('deleteOrder', { id }, { tenantId })).answer).toMatchObject({ id, active: false })
    for (const name of ['findOrder', 'orderTemplate', 'toggleOrder', 'deleteOrder'] as const) {
      expect((await harness.send(name, { id }, { tenantId })).code).toBe('ORDER_NOT_FOUND')
    }
    const update = { id, input: { amountFrom: '1' } }
    expect((await harness.send('updateOrder', update, { tenantId })).code).toBe('ORDER_NOT_FOUND')
    const { answer: page } = await harness.send('listOrders', {}, { tenantId })
    expect(page).toMatchObject({ orders: [{ id: kept }], pagination: { total: 1 } })
    const representations = [{ __typename: 'Order', id }]
    expect((await harness.send('references', { representations }, { tenantId })).answer).toMatchObject([{ id }])
  })

  it('is told of once, also where the request is repeated under its idempotency key', async () => {
    const tenantId = harness.newTenant()
    const id = idOf(await create(tenantId))
    const send = () => harness.send('deleteOrder', { id }, { tenantId, idempotencyKey: 'away' })
    const first = await send()
    expect(await send()).toEqual({ ...first, replayed: true })
    const events = await harness.query('select type from orders.order_event where order_id = $1', [id])
    expect(events.map(({ type }) => type)).toEqual(['order.created', 'order.updated'])
  })

  it('does not count for the 20, also where creates and deletes race', async () => {
    const tenantId = harness.newTenant()
    const ids = (await Promise.all(Array.from({ length: 20 }, () => create(tenantId)))).map(idOf)
    expect((await create(tenantId)).code).toBe('ORDER_LIMIT_REACHED')
    const [outcomes] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => create(tenantId))),
      Promise.all(ids.slice(0, 5).map((id) => harness.send('deleteOrder', { id }, { tenantId }))),
    ])
    const made = outcomes.filter(({ code }) => code === undefined).length
    const more = await Promise.all(Array.from({ length: 10 }, () => create(tenantId)))
    expect(made + more.filter(({ code }) => code === undefined).length).toBe(5)
    const [{ count, numbers } = {}] = await harness.query(
      `select count(*)::int as count, count(distinct number)::int as numbers from orders.payment_order
       where tenant_id = $1 and not deleted`,
      [tenantId],
    )
    expect([count, numbers]).toEqual([20, 20])
  })

  it('of another tenant is not found, and stays', async () => {
    const tenantId = harness.newTenant()
    const id = idOf(await create(tenantId))
    expect((await harness.send('deleteOrder', { id }, { tenantId: harness.newTenant() })).code).toBe('ORDER_NOT_FOUND')
    expect(await harness.must('findOrder', { id }, { tenantId })).toMatchObject({ id })
  })
})

describe('orders that were deleted', () => {
  it('are not read where the others are listed or counted, however many they are', async () => {
    const tenantId = harness.newTenant()
    const kept = idOf(await create(tenantId))
    await harness.query(
      `insert into orders.payment_order select deleted.* from orders.payment_order as kept, generate_series(2, 5000) as n,
        lateral jsonb_populate_record(kept, jsonb_build_object('id', 'c' || lpad(n::text, 24, '0'), 'number', n,
          'deleted', true)) as deleted where kept.id = $1`,
      [kept],
    )
    await harness.query('analyze orders.payment_order')
    for (const { text } of [LIST, LIST_KINDS])
      expect((await readsOf(harness.query, 'payment_order', { text, values: [tenantId] })).rows).toBe(1)
  })
})
