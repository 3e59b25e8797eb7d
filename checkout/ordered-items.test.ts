import { expect, it } from 'vitest'
import { startHarness } from '../test/harness/harness.js'

const harness = await startHarness()

const look = (path: string) => harness.rest('GET', path, { headers: { 'accept-language': 'en' } })

it('the payment page shows what was ordered, at its price, whatever the order says since, and after it is deleted', async () => {
  const { tenant } = harness
  const shop = async (changes: object, items: object[]) => {
    const body = { ...changes, order_items: items }
    expect((await harness.rest('PATCH', `/order/${order}`, { as: tenant, body })).status).toBe(200)
  }
  const order = await tenant.createOrder({ order_items: [{ name: 'First shirt', quantity: 1 }] })
  await shop({ amount_from: '50' }, [{ name: 'Second shirt' }])
  const path = await harness.tenant.pagePath(await tenant.register({ order_code: order }))
  harness.clock.advance(1_000)
  await shop({ amount_from: '500' }, [{ name: 'Ten shirts', quantity: 10 }])
  const later = await harness.tenant.pagePath(await tenant.register({ order_code: order }))
  const { text } = await look(path)
  expect(text).toContain('R$50.00')
  expect(text).toContain('Second shirt')
  expect(text).not.toMatch(/First shirt|Ten shirts/)
  expect((await look(later)).text).toContain('Ten shirts')
  expect((await harness.rest('DELETE', `/order/${order}`, { as: tenant })).status).toBe(200)
  expect((await look(path)).text).toContain('Second shirt')
})

it('the payment page shows what the payment took over, whatever the clocks of those who wrote it down say', async () => {
  const { tenant, sql } = harness
  const order = await tenant.createOrder({ order_items: [{ name: 'First cup', quantity: 1 }] })
  const change = async (name: string) => {
    const body = { order_items: [{ name }] }
    expect((await harness.rest('PATCH', `/order/${order}`, { as: tenant, body })).status).toBe(200)
  }
  const shift = (sequence: number, by: string) =>
    sql(`update orders.order_event set created_at = created_at + $3::interval where order_id = $1 and sequence = $2`, [
      order,
      sequence,
      by,
    ])
  await change('Second cup')
  const id = await tenant.register({ order_code: order })
  const path = await harness.tenant.pagePath(id)
  await change('Third cup')
  // The orders' clock was ahead of the payments'.
  await shift(1, '1 hour')
  await shift(2, '1 hour')
  expect((await look(path)).text).toContain('Second cup')
  // A change was on its way, and not written yet, while the payment was registered.
  await shift(3, '-1 hour')
  expect((await look(path)).text).toContain('Second cup')
  // A payment from before this was kept goes by the time, and by the first that there was where none is older.
  await sql('update payments.payment set order_sequence = null where id = $1', [id])
  expect((await look(path)).text).toContain('Third cup')
  await shift(3, '2 hours')
  expect((await look(path)).text).toContain('First cup')
})
