import { describe, expect, it } from 'vitest'
import { MINIMAL_ORDER, type OrderAnswer, startOrdersHarness } from '../../test/harness/orders.js'

const harness = await startOrdersHarness()

const DAY_MS = 24 * 3_600_000
const input = MINIMAL_ORDER

async function countOf(tenantId: string): Promise<Record<string, unknown> | undefined> {
  const [counts] = await harness.query(
    `select (select count(*) from orders.payment_order where tenant_id = $1)::int as orders,
      (select count(*) from orders.order_event where tenant_id = $1)::int as events,
      (select count(*) from graphile_worker._private_jobs where payload ->> 'tenantId' = $1)::int as jobs`,
    [tenantId],
  )
  return counts
}

describe('the limit of 20 orders', () => {
  it('holds when 50 creates race: 20 succeed, 30 are refused', async () => {
    const tenantId = harness.newTenant()
    const racing = Array.from({ length: 50 }, () => harness.send('createOrder', { input }, { tenantId }))
    const outcomes = await Promise.all(racing)
    const refused = outcomes.filter(({ code }) => code !== undefined)
    expect(refused.map(({ code }) => code)).toEqual(Array<string>(30).fill('ORDER_LIMIT_REACHED'))
    expect(await countOf(tenantId)).toEqual({ orders: 20, events: 20, jobs: 20 })
  })

  it("counts deactivated orders and no other tenant's", async () => {
    const tenantId = harness.newTenant()
    for (let index = 0; index < 20; index += 1) {
      const { id } = await harness.must('createOrder', { input }, { tenantId })
      await harness.must('toggleOrder', { id }, { tenantId })
    }
    expect((await harness.send('createOrder', { input }, { tenantId })).code).toBe('ORDER_LIMIT_REACHED')
    expect((await harness.send('createOrder', { input }, { tenantId: harness.newTenant() })).code).toBeUndefined()
  })

  it('does not hold back the replay of the 20th, and a refusal does not use up its key', async () => {
    const tenantId = harness.newTenant()
    const create = (idempotencyKey: string) => harness.send('createOrder', { input }, { tenantId, idempotencyKey })
    for (let number = 1; number < 20; number += 1) await create(`order ${number}`)
    const twentieth = await create('order 20')
    expect(twentieth).toMatchObject({ code: undefined, replayed: false })
    expect((await create('order 21')).code).toBe('ORDER_LIMIT_REACHED')
    expect(await create('order 20')).toEqual({ ...twentieth, replayed: true })
    const keys = await harness.query('select key from kernel.idempotency_key where tenant_id = $1', [tenantId])
    expect(keys).toHaveLength(20)
  })
})

describe('an idempotency key', () => {
  it('creates one order with one event and one job, however many identical creates race', async () => {
    const tenantId = harness.newTenant()
    const send = () => harness.send('createOrder', { input }, { tenantId, idempotencyKey: 'order' })
    const outcomes = await Promise.all(Array.from({ length: 100 }, send))
    expect(new Set(outcomes.map(({ answer }) => JSON.stringify(answer))).size).toBe(1)
    expect(outcomes.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(outcomes[0]?.answer).toMatchObject({ tenantId, sequence: 1 })
    expect(await countOf(tenantId)).toEqual({ orders: 1, events: 1, jobs: 1 })
  })

  it('answers the first answer again, whatever happened to the order since', async () => {
    const tenantId = harness.newTenant()
    const keyed = (idempotencyKey: string) => ({ tenantId, idempotencyKey })
    const created = await harness.send('createOrder', { input }, keyed('create'))
    const { id } = created.answer as OrderAnswer
    const update = { id, input: { amountFrom: '20' } }
    const updated = await harness.send('updateOrder', update, keyed('update'))
    const toggled = await harness.send('toggleOrder', { id }, keyed('toggle'))
    await harness.must('updateOrder', { id, input: { amountFrom: '30' } }, { tenantId })
    expect(toggled.answer).toMatchObject({ active: false, amountFrom: '20', sequence: 3 })
    expect(await harness.send('createOrder', { input }, keyed('create'))).toEqual({ ...created, replayed: true })
    expect(await harness.send('updateOrder', update, keyed('update'))).toEqual({ ...updated, replayed: true })
    expect(await harness.send('toggleOrder', { id }, keyed('toggle'))).toEqual({ ...toggled, replayed: true })
    expect(await countOf(tenantId)).toEqual({ orders: 1, events: 4, jobs: 4 })
  })

  it('toggles once, however many identical toggles race', async () => {
    const tenantId = harness.newTenant()
    const { id } = await harness.must('createOrder', { input }, { tenantId })
    const send = () => harness.send('toggleOrder', { id }, { tenantId, idempotencyKey: 'toggle' })
    const outcomes = await Promise.all(Array.from({ length: 25 }, send))
    expect(outcomes.map(({ answer }) => (answer as OrderAnswer).active)).toEqual(Array<boolean>(25).fill(false))
    expect(await countOf(tenantId)).toEqual({ orders: 1, events: 2, jobs: 2 })
  })

  it('answers again although the product that the request needed was switched off since', async () => {
    const options = { tenantId: harness.newTenant(), idempotencyKey: 'key' }
    const variables = { input: { ...input, paymentMethodAllowed: { crypto: true } } }
    const first = await harness.send('createOrder', variables, options)
    const again = await harness.send('createOrder', variables, { ...options, products: [] })
    expect(again).toEqual({ ...first, replayed: true })
  })

  it('is refused for another request, also when both race', async () => {
    const options = { tenantId: harness.newTenant(), idempotencyKey: 'key' }
    const amounts = ['1', '2', '3', '4', '5']
    const send = (amountFrom: string) => harness.send('createOrder', { input: { ...input, amountFrom } }, options)
    const outcomes = await Promise.all(amounts.map(send))
    expect(outcomes.filter(({ code }) => code === undefined)).toHaveLength(1)
    expect(outcomes.filter(({ code }) => code === 'IDEMPOTENCY_KEY_REUSED')).toHaveLength(4)
  })

  it('is free again after a request that failed, and after 24 hours', async () => {
    const options = { tenantId: harness.newTenant(), idempotencyKey: 'key' }
    const missing = { id: 'c'.padEnd(25, '0'), input: { amountFrom: '1' } }
    expect((await harness.send('updateOrder', missing, options)).code).toBe('ORDER_NOT_FOUND')
    const first = await harness.send('createOrder', { input }, options)
    harness.clock.advance(DAY_MS - 60_000)
    expect(await harness.send('createOrder', { input }, options)).toEqual({ ...first, replayed: true })
    harness.clock.advance(120_000)
    const next = await harness.send('createOrder', { input }, options)
    expect(next).toMatchObject({ code: undefined, replayed: false })
    expect((next.answer as OrderAnswer).id).not.toBe((first.answer as OrderAnswer).id)
  })

  it('may hold any characters, as may what it stands for', async () => {
    const executorId = `'; drop table orders.payment_order; -- \\' ? ?? $1 :name "é😀`
    const options = { tenantId: harness.newTenant(), idempotencyKey: executorId }
    const variables = { input: { ...input, executorId, orderItems: [{ name: executorId, quantity: 1 }] } }
    const first = await harness.send('createOrder', variables, options)
    expect(first.answer).toMatchObject(variables.input)
    expect(await harness.send('createOrder', variables, options)).toEqual({ ...first, replayed: true })
    const { id } = first.answer as OrderAnswer
    expect(await harness.must('findOrder', { id }, { tenantId: options.tenantId })).toEqual(first.answer)
  })

  it("is one tenant's own", async () => {
    const send = (tenantId: string) => harness.must('createOrder', { input }, { tenantId, idempotencyKey: 'shared' })
    const [one, other] = [harness.newTenant(), harness.newTenant()]
    expect((await send(one)).tenantId).toBe(one)
    expect((await send(other)).tenantId).toBe(other)
  })
})
