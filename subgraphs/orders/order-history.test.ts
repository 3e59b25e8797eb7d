import { describe, expect, it } from 'vitest'
import { RECEIVERS } from '../../test/harness/chains.js'
import { MINIMAL_ORDER, startOrdersHarness, type OrderAnswer } from '../../test/harness/orders.js'

const harness = await startOrdersHarness()

const LARGE = {
  ...MINIMAL_ORDER,
  toChain: 'polygon',
  orderItems: Array.from({ length: 100 }, (_, index) => ({
    name: `Part ${index}`,
    quantity: 1,
    description: randomText(500),
  })),
  splitPaymentConfig: [{ receiverWallet: RECEIVERS[0], receiverPercent: '100' }],
}

/** Text that a database cannot make shorter. */
function randomText(length: number): string {
  return Array.from({ length }, () => String.fromCharCode(33 + Math.floor(Math.random() * 90))).join('')
}

/** An order, with what its updates have answered. */
async function created(changes: object = {}) {
  const tenantId = harness.newTenant()
  const order = await harness.must('createOrder', { input: { ...LARGE, ...changes } }, { tenantId })
  const answers = [order]
  return {
    id: order.id,
    tenantId,
    answers,
    update: async (input: object): Promise<void> => {
      answers.push(await harness.must('updateOrder', { id: order.id, input }, { tenantId }))
    },
    at: (sequence: number) => harness.must('findOrderAt', { id: order.id, sequence }, { tenantId }),
    /** How many bytes the events behind the first hold. */
    kept: async (): Promise<number> => {
      const sql = `select sum(pg_column_size(event.*))::int as bytes from orders.order_event event where order_id = $1 and sequence > 1`
      const [row] = await harness.query(sql, [order.id])
      return Number(row?.['bytes'])
    },
  }
}

describe("an order's history", () => {
  it('keeps of an update about as much as was sent, however large the order is', async () => {
    const { update, kept, at, answers } = await created()
    for (let quantity = 2; quantity <= 40; quantity += 1) await update({ orderItems: [{ quantity }] })
    expect(await kept()).toBeLessThan(39 * 500)
    expect(await at(40)).toEqual(answers[39])
  })

  it('keeps an order whole after so many updates that few are read to know it', async () => {
    const { id, tenantId, update, kept } = await created()
    for (let amount = 1; amount <= 129; amount += 1) await update({ amountFrom: `${amount}` })
    const whole = await harness.query(
      'select sequence from orders.order_event where order_id = $1 and snapshot is not null order by sequence',
      [id],
    )
    expect(whole).toEqual([{ sequence: 1 }, { sequence: 65 }, { sequence: 129 }])
    expect(await kept()).toBeLessThan(2 * 70_000 + 129 * 500)
    expect(await harness.must('findOrderAt', { id, sequence: 128 }, { tenantId })).toMatchObject({ amountFrom: '127' })
  })

  it('is read at each of its events from about twice what it was then, however much the updates replace', async () => {
    const { id, update, at, answers } = await created({ orderItems: [{ name: 'Mug', quantity: 1 }] })
    for (let count = 0; count < 70; count += 1)
      await update({ orderItems: [{ description: randomText(count % 10 === 9 ? 20_000 : 60_000) }] })
    const read = await harness.query(
      `select sum(octet_length(coalesce(read.snapshot, read.changes)::text))::int as bytes
        from orders.order_event as event join orders.order_event as read using (tenant_id, order_id)
        where order_id = $1 and read.sequence <= event.sequence and read.sequence >= (select max(sequence)
          from orders.order_event where order_id = $1 and sequence <= event.sequence and snapshot is not null)
        group by event.sequence order by event.sequence`,
      [id],
    )
    expect(read).toHaveLength(71)
    const times = read.map(({ bytes }, place) => Number(bytes) / JSON.stringify(answers[place]).length)
    expect(Math.max(...times)).toBeLessThan(2.2)
    expect(await at(64)).toEqual(answers[63])
    expect(await at(71)).toEqual(answers[70])
  })

  it('gives the order as it was after each event, whatever that changed', async () => {
    const { id, tenantId, update, at, answers } = await created({ orderItems: [] })
    await update({ orderItems: [{ name: 'Mug', quantity: 1, description: 'Blue', imageUrl: 'https://x.example/y' }] })
    await update({
      orderItems: [
        { description: null, imageUrl: null },
        { name: 'Pen', quantity: 2 },
      ],
    })
    await update({ gatewayMethod: 'SUBS', subscriptionPaymentConfig: { planName: 'Gold', interval: 'WEEKLY' } })
    await update({ gatewayMethod: 'DIRECT', subscriptionPaymentConfig: null })
    await update({ orderItems: null, splitPaymentConfig: null, toChain: null })
    await update({ paymentMethodAllowed: { crypto: true }, toChain: 'polygon', successUrl: 'https://x.example/z' })
    answers.push(await harness.must('toggleOrder', { id }, { tenantId }))
    await update({ orderItems: [{ name: 'Cup', quantity: 3 }] })
    await harness.must('deleteOrder', { id }, { tenantId })
    const seen: OrderAnswer[] = []
    for (const { sequence } of answers) seen.push(await at(sequence))
    expect(seen).toEqual(answers)
    expect((await harness.send('findOrderAt', { id, sequence: 11 }, { tenantId })).code).toBe('ORDER_NOT_FOUND')
  })

  it('is read where all of its events hold the order, as those of earlier releases do, and goes on from there', async () => {
    const { id, update, at, answers } = await created()
    await harness.query(
      `with past as (
        insert into orders.order_event (tenant_id, order_id, sequence, type, snapshot, created_at)
          select tenant_id, order_id, n, 'order.updated', snapshot || jsonb_build_object('sequence', n, 'amountFrom', n::text), created_at
          from orders.order_event, generate_series(2, 70) as n where order_id = $1)
      update orders.payment_order set sequence = 70, amount_from = '70' where id = $1`,
      [id],
    )
    await update({ executorId: 'shop' })
    expect(await at(70)).toEqual({ ...answers[0], amountFrom: '70', sequence: 70 })
    expect(await at(71)).toEqual(answers[1])
    expect(answers[1]).toMatchObject({ amountFrom: '70', executorId: 'shop', sequence: 71 })
  })

  it('keeps the whole order where naming what changed would be longer', async () => {
    const { id, update, at, answers } = await created({ orderItems: [{ name: 'a', quantity: 1 }] })
    const items = Array.from({ length: 100 }, () => ({ name: 'b', quantity: 2 }))
    await update({ orderItems: items })
    await update({ orderItems: items.map(() => ({ name: 'c', quantity: 3 })) })
    const [row] = await harness.query(
      'select snapshot is not null as whole from orders.order_event where order_id = $1 and sequence = 3',
      [id],
    )
    expect(row).toEqual({ whole: true })
    expect(await at(3)).toEqual(answers[2])
  })
})
