import { describe, expect, it } from 'vitest'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness()
const { tenant } = harness
const payer = await harness.chain.newPayer()

type Listed = Record<string, unknown> & { id: string }
const list = async (query: string, as = tenant) => {
  const { status, body } = await harness.rest('GET', `/payment/list?${query}`, { as })
  return { status, body, payments: (body.data?.['payments'] ?? []) as Listed[], next: body.data?.['next'] }
}
const idsOf = async (query: string) => (await list(query)).payments.map(({ id }) => id)

const ids: string[] = []
for (let count = 0; count < 5; count += 1) {
  ids.unshift(await tenant.register({ metadata: { invoice: { number: `INV-00${count}` }, tags: ['Spring Sale'] } }))
}
const [last = '', , paying = ''] = ids
await tenant.createTransaction(paying, payer.address)
const stranger = await harness.dashboard.newTenant()
await stranger.register({ metadata: { invoice: 'INV-000' } })

describe('GET /payment/list', () => {
  it('answers the newest first, in the record that the status shows', async () => {
    const answer = await list('')
    expect(answer.body).toMatchObject({ statusCode: 200, success: true, status: 'payments_listed' })
    expect(answer.payments.map(({ id }) => id)).toEqual(ids)
    expect(answer.next).toBeNull()
    expect(answer.payments[0]).toEqual(await tenant.statusOf(last))
    expect(answer.payments[0]).toMatchObject({ payer_email: '', status: 'registered' })
  })

  it('goes on page by page, also while payments are registered', async () => {
    const first = await list('limit=2')
    expect(first.next).toEqual(expect.any(String))
    const other = await tenant.register()
    const second = await list(`limit=2&after=${String(first.next)}`)
    const third = await list(`limit=2&after=${String(second.next)}`)
    const seen = [first, second, third].flatMap(({ payments }) => payments.map(({ id }) => id))
    expect(seen).toEqual(ids)
    expect(third.next).toBeNull()
    expect((await list('limit=1')).payments[0]?.id).toBe(other)
  })

  it('is narrowed by what was sent', async () => {
    expect(await idsOf('status=pending')).toEqual([paying])
    expect(await idsOf('transaction_type=crypto')).toEqual([paying])
    expect(await idsOf('payer_email=ANA@example.com')).toEqual([paying])
    expect(await idsOf('order_code=corder0000000000000000001')).toEqual([])
    const { created_at: at } = await tenant.statusOf(last)
    expect(await idsOf(`created_before=${String(at)}&search=Spring`)).toEqual(ids.slice(1))
    expect((await idsOf(`created_from=${String(at)}`)).includes(last)).toBe(true)
  })

  it.each([
    ['the id', () => paying],
    ['the e-mail address', () => 'ana@example'],
    ['the wallet', () => payer.address.toLowerCase()],
    ['a value deep in the metadata', () => 'inv-002'],
  ])('finds a payment by %s', async (_by, text) => {
    expect(await idsOf(`search=${encodeURIComponent(text())}`)).toEqual([paying])
  })

  it('finds by a type what it shows as that type, whichever of two is kept', async () => {
    const as = await harness.dashboard.newTenant()
    const [fiat, pix] = [await as.register(), await as.register()]
    await as.register()
    for (const [id, type] of [
      [fiat, 'fiatcrypto'],
      [pix, 'pixcrypto'],
    ])
      await harness.sql('update payments.payment set transaction_type = $2 where id = $1', [id, type])
    const listed = async (query: string) =>
      (await list(query, as)).payments.map(({ id, transaction_type: type }) => [id, type])
    const both = [
      [pix, 'pixcrypto'],
      [fiat, 'pixcrypto'],
    ]
    expect(await listed('transaction_type=pixcrypto')).toEqual(both)
    expect(await listed('transaction_type=pixcrypto&status=registered&limit=1')).toEqual(both.slice(0, 1))
    expect(await listed('transaction_type=fiatcrypto')).toEqual(both.slice(1))
    // REST has no field of several types.
    expect(await listed('transaction_type=crypto&transaction_types=pixcrypto')).toEqual([])
    expect(await listed('transaction_types=crypto')).toHaveLength(3)
  })

  it('finds nothing of another tenant', async () => {
    expect((await list('search=INV-000', stranger)).payments).toHaveLength(1)
    expect((await list(`search=${paying}`, stranger)).payments).toEqual([])
    expect((await list('search=Spring', stranger)).payments).toEqual([])
  })

  it.each([
    ['limit=0&search=ab', ['limit', 'search']],
    ['limit=101', ['limit']],
    ['limit=many&status=paid&search=x', ['limit', 'search', 'status']],
    ['after=nonsense', ['after']],
    ['created_from=yesterday', ['created_from']],
    ['payer_email=nobody', ['payer_email']],
  ])('?%s names each bad field', async (query, fields) => {
    const { status, body } = await list(query)
    expect([status, body.status, (body.errors ?? []).map(({ field }) => field).sort()]).toEqual([
      400,
      'validation_error',
      fields,
    ])
  })
})

describe('payments in GraphQL', () => {
  it('take the same filter', async () => {
    const query = 'query ($filter: PaymentFilterInput) { payments(filter: $filter) { edges { node { id } } } }'
    const ask = (filter: object) => harness.graphql(query, { filter }, { as: tenant })
    const { body } = await ask({ search: 'inv-002', payerEmail: 'ana@example.com', status: 'PENDING' })
    expect(body.data).toEqual({ payments: { edges: [{ node: { id: paying } }] } })
    expect(JSON.stringify((await ask({ search: 'x' })).body)).toContain('filter.search')
  })
})
