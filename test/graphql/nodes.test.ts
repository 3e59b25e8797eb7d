import { describe, expect, it } from 'vitest'
import type { Scope } from '../../kernel/permissions.js'
import { startHarness } from '../harness/harness.js'
import { cardTerms } from '../harness/rest-cards.js'
import { proveEmail } from '../harness/rest-kyc.js'
import type { TestTenant } from '../harness/tenants.js'
import { until } from '../harness/until.js'

const harness = await startHarness()
const { tenant } = harness
const stranger = await harness.dashboard.newTenant()

const NODES = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id
  ... on Payment { status order { id active } } ... on Order { amountFrom payments(first: 1) { totalCount } }
  ... on KycRecord { approved } ... on Refund { amount payment { id } } ... on PaymentSubscription { state: status } } }`

interface Found {
  __typename: string
  id: string
}
interface Answered {
  data: { nodes: (Found | null)[] | null; node?: Found | null }
  errors?: { message: string; path: unknown[]; extensions: { code: string; errors?: object[] } }[]
}

async function ask(query: string, variables: object, as: TestTenant | string = tenant): Promise<Answered> {
  return (await harness.graphql(query, variables, { as })).body as unknown as Answered
}
const typesOf = async (ids: string[], as?: TestTenant | string): Promise<(string | null)[]> => {
  const { data, errors } = await ask(NODES, { ids }, as)
  expect(errors).toBeUndefined()
  return (data.nodes ?? []).map((found) => found && `${found.__typename} ${found.id}`)
}

/** The newest of a list; undefined where it is empty. */
async function firstId(list: string): Promise<string | undefined> {
  const { data } = await ask(`{ list: ${list}(first: 1) { edges { node { id } } } }`, {})
  const { edges } = (data as unknown as { list: { edges: { node: { id: string } }[] } }).list
  return edges[0]?.node.id
}

/** One of each: an order, a payment of it that began a subscription, a part of it that goes back, and who was verified. */
async function oneOfEach() {
  const order = await tenant.createOrder({
    ...cardTerms(['rp_shop0001']),
    tenant_data: tenant.tenantData,
    gateway_method: 'subs',
    subscription_payment_config: { plan_name: 'Gold', interval: 'weekly', charge: true, retry_count: 0 },
  })
  const payment = await tenant.payByCard(order)
  const subscription = await until('the subscription', () => firstId('paymentSubscriptions'))
  const answer = await tenant.post(`/payment/${payment}/refund`, { amount: '1' })
  const refund = (answer.body as unknown as { data: { refund_id: string } }).data.refund_id
  await proveEmail(harness, tenant)
  const person = (await firstId('kycRecords')) ?? ''
  return { order, payment, subscription, refund, person }
}

const things = await oneOfEach()
const { order, payment, subscription, refund, person } = things
const ids = [person, refund, order, payment, subscription]
const TYPES = [
  `KycRecord ${person}`,
  `Refund ${refund}`,
  `Order ${order}`,
  `Payment ${payment}`,
  `PaymentSubscription ${subscription}`,
]

describe('a node', () => {
  it('is found by its id alone, with the fields that its own subgraph has, in the order of the ids', async () => {
    expect(await typesOf(ids)).toEqual(TYPES)
    expect(await typesOf([payment, 'none', payment, person])).toEqual([TYPES[3], null, TYPES[3], TYPES[0]])
    const { data } = await ask(NODES, { ids })
    expect(data.nodes).toMatchObject([
      { approved: false },
      { amount: '1', payment: { id: payment } },
      { amountFrom: expect.any(String) as string, payments: { totalCount: 1 } },
      { status: 'SUCCESS', order: { id: order, active: true } },
      { state: 'ACTIVE' },
    ])
    for (const [at, id] of ids.entries()) {
      const one = await ask('query ($id: ID!) { node(id: $id) { __typename id } }', { id })
      expect(one).toMatchObject({ data: { node: { __typename: TYPES[at]?.split(' ')[0], id } } })
    }
  })

  it('of another tenant is not there, nor is what nobody has', async () => {
    expect(await typesOf(ids, stranger)).toEqual([null, null, null, null, null])
    for (const id of [...ids, 'none', '', `c${'0'.repeat(24)}`])
      expect((await ask('query ($id: ID!) { node(id: $id) { id } }', { id }, stranger)).data).toEqual({ node: null })
  })

  it.each<[Scope, number[]]>([
    ['payments:read', [1, 3, 4]],
    ['orders:read', [2]],
    ['kyc:read', [0]],
    ['yield:read', []],
  ])('is not there for a key that may not read it: one with %s', async (scope, seen) => {
    const { key } = await harness.dashboard.newKey(tenant, { expiresAt: null, scopes: [scope] })
    const { data, errors } = await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', { ids }, key)
    expect(errors).toBeUndefined()
    expect(data.nodes?.map((found) => found?.id ?? null)).toEqual(ids.map((id, at) => (seen.includes(at) ? id : null)))
  })

  it('is one of a hundred at most', async () => {
    const { data, errors } = await ask(NODES, { ids: Array.from({ length: 101 }, () => payment) })
    expect(data).toEqual({ nodes: null })
    expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_ERROR', errors: [{ field: 'ids' }] } }])
  })

  it('of a person is read only where a field of it is asked for: that it is there says nothing of the person', async () => {
    const before = await harness.sql('select count(*)::int as accesses from kyc.access_log')
    const asked = Array.from({ length: 20 }, (_, at) => ids[at % ids.length] ?? '')
    expect(await typesOf(asked)).toHaveLength(20)
    expect((await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: asked })).errors).toBeUndefined()
    const after = await harness.sql('select count(*)::int as accesses from kyc.access_log')
    // Whether a verification is there says nothing of a person; only the first question read one.
    expect(Number(after[0]?.['accesses']) - Number(before[0]?.['accesses'])).toBe(1)
  })

  it('counts as a hundred objects where a hundred could be asked for', async () => {
    const { body } = await harness.graphql(NODES, { ids: [payment] }, { as: tenant })
    const { requested, actual } = (body as unknown as { extensions: { cost: { requested: number; actual: number } } })
      .extensions.cost
    expect(requested).toBeGreaterThan(5)
    expect(actual).toBe(1)
  })
})
