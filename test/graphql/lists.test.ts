import { passTime } from '../harness/control.js'
import { describe, expect, it } from 'vitest'
import { startHarness } from '../harness/harness.js'
import { cardTerms } from '../harness/rest-cards.js'
import { approve, proveEmail } from '../harness/rest-kyc.js'
import { until } from '../harness/until.js'

const harness = await startHarness()
const { tenant } = harness
const stranger = await harness.dashboard.newTenant()
// Events of orders and verifications go to the integration's own address.
await harness.dashboard.setWebhookUrl(tenant)

interface Answered<Data> {
  data: Data
  errors?: { path?: string[]; extensions: { code: string; errors?: { field: string }[] } }[]
}

async function ask<Data>(query: string, variables: object = {}, as = tenant): Promise<Answered<Data>> {
  const { body } = await harness.graphql(query, variables, { as })
  return body as unknown as Answered<Data>
}

interface Page {
  edges: { cursor: string; node: { id: string } }[]
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
  totalCount: number
  isTotalCountExact: boolean
}

const PAYMENTS = `query ($first: Int, $after: String, $filter: PaymentFilterInput, $sort: PaymentSortInput) {
  payments(first: $first, after: $after, filter: $filter, sort: $sort) {
    edges { cursor node { id } } pageInfo { hasNextPage endCursor } totalCount isTotalCountExact } }`

const payments = async (variables: object, as = tenant): Promise<Page> => {
  const { data, errors } = await ask<{ payments: Page }>(PAYMENTS, variables, as)
  expect(errors).toBeUndefined()
  return data.payments
}
const idsOf = ({ edges }: Page): string[] => edges.map(({ node }) => node.id)

describe('payments', () => {
  it('are narrowed, sorted and counted, page by page', async () => {
    const amounts = ['30', '7.5', '100', '2000']
    const ids: string[] = []
    for (const amount of amounts)
      ids.push(await tenant.register({ amount_from: amount, metadata: { invoice: `No ${amount}`, shop: 7 } }))
    const [thirty, seven, hundred, most] = ids
    await tenant.createTransaction(String(hundred), (await harness.chain.newPayer()).address)

    const bySize = { sort: { by: 'AMOUNT', direction: 'ASC' }, filter: { amount: { currency: 'brl' } } }
    const first = await payments({ ...bySize, first: 3 })
    expect(idsOf(first)).toEqual([seven, thirty, hundred])
    expect(first).toMatchObject({ totalCount: 4, isTotalCountExact: true, pageInfo: { hasNextPage: true } })
    expect(idsOf(await payments({ ...bySize, after: first.pageInfo.endCursor }))).toEqual([most])

    const of = async (filter: object) => idsOf(await payments({ filter }))
    expect(await of({ statuses: ['PENDING', 'SUCCESS'] })).toEqual([hundred])
    expect(await of({ amount: { currency: 'BRL', atLeast: '30', atMost: '100.0' } })).toEqual([hundred, thirty])
    expect(await of({ metadata: { key: 'invoice', value: 'No 7.5' } })).toEqual([seven])
    expect(await of({ metadata: { key: 'shop', value: '7' }, statuses: ['PENDING'] })).toEqual([hundred])
    expect(await of({ metadata: { key: 'shop', value: 'No 7.5' } })).toEqual([])
    expect(idsOf(await payments({ sort: { by: 'CREATED_AT', direction: 'ASC' } }))).toEqual(ids)
    expect(await payments({}, stranger)).toMatchObject({ edges: [], totalCount: 0 })
  })

  it('are not read behind a cursor of another list', async () => {
    const shop = await harness.dashboard.newTenant()
    await shop.register()
    const { data } = await ask<{ payments: Page }>('{ payments(first: 1) { edges { cursor } } }', {}, shop)
    const after = data.payments.edges[0]?.cursor
    expect(after).toBeDefined()
    for (const list of ['refunds', 'webhookDeliveries', 'paymentSubscriptions']) {
      const query = `query ($after: String) { ${list}(after: $after) { edges { cursor } } }`
      const { body } = await harness.graphql(query, { after }, { as: shop })
      expect([list, body.errors]).toMatchObject([list, [{ extensions: { errors: [{ field: 'after' }] } }]])
    }
  })

  it('are those of their tenant and page, as when they are asked for whole, where many are asked for a little at once', async () => {
    const shop = await harness.dashboard.newTenant()
    const ids = await Promise.all([0, 1, 2].map(() => shop.register({ amount_from: '10' })))
    const newest = ids.toSorted().toReversed()
    const LITTLE =
      '__typename id status amountFrom createdAt history { cause } sessionPayment order { id } quote { id }'
    const asked = (fields: string): string => `query ($first: Int, $after: String) {
      payments(first: $first, after: $after) { edges { cursor node { ...F } } pageInfo { hasNextPage } } }
      fragment F on Payment { ${fields} }`
    const after = Buffer.from(`payment:${String(newest[0])}`).toString('base64url')
    const pages = [{ first: 2 }, { first: 1, after }, { after }, { first: 100 }]
    const expected = [newest.slice(0, 2), newest.slice(1, 2), newest.slice(1), newest]
    const all = (fields: string, as = shop): Promise<Answered<{ payments: Page }>[]> =>
      Promise.all(pages.map((page) => ask<{ payments: Page }>(asked(fields), page, as)))

    const [little, strange] = await Promise.all([all(LITTLE), all(LITTLE, stranger)])
    expect(little.map(({ data }) => idsOf(data.payments))).toEqual(expected)
    expect(strange.map(({ data }) => idsOf(data.payments))).toEqual([[], [], [], []])
    const whole = await all(`${LITTLE} metadata`)
    const withoutMetadata = JSON.stringify(whole.map(({ data }) => data)).replaceAll(',"metadata":null', '')
    expect(JSON.stringify(little.map(({ data }) => data))).toBe(withoutMetadata)
    // What a resolver reads has to be there also where the document selects nothing else.
    for (const field of ['sessionPayment', 'order { id }', 'quote { id }', 'transactionHash', 'history { cause }']) {
      const [alone, among] = await Promise.all([all(`id ${field}`), all(`id ${field} metadata`)])
      const told = JSON.stringify(among.map(({ data }) => data)).replaceAll(',"metadata":null', '')
      expect(JSON.stringify(alone.map(({ data }) => data))).toBe(told)
    }
  })

  it.each([
    ['a list of no statuses', { filter: { statuses: [] } }, 'filter.statuses'],
    ['a list of no types', { filter: { transactionTypes: [] } }, 'filter.transactionTypes'],
    [
      'a range that holds nothing',
      { filter: { amount: { currency: 'BRL', atLeast: '2', atMost: '1' } } },
      'filter.amount.atMost',
    ],
    ['a currency that is none', { filter: { amount: { currency: 'REAIS' } } }, 'filter.amount.currency'],
    ['no field of the metadata', { filter: { metadata: { key: '', value: 'x' } } }, 'filter.metadata.key'],
    ['amounts of several currencies in one order', { sort: { by: 'AMOUNT', direction: 'ASC' } }, 'sort.by'],
    ['a cursor of another order', { after: 'MTA6Y2FiYw', sort: { by: 'CREATED_AT', direction: 'ASC' } }, 'after'],
  ])('refuse %s, and name the field', async (_about, variables, field) => {
    const { data, errors } = await ask(PAYMENTS, variables)
    expect(data).toEqual({ payments: null })
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field }] })
  })
})

describe('subscriptions', () => {
  it('are listed at the root, with links to their payments and their order', async () => {
    const owner = await harness.dashboard.newTenant()
    const orderCode = await owner.createOrder({
      ...cardTerms(['rp_shop0001']),
      tenant_data: owner.tenantData,
      gateway_method: 'subs',
      subscription_payment_config: { plan_name: 'Gold', interval: 'weekly', charge: true, retry_count: 0 },
    })
    const first = await owner.payByCard(orderCode)
    const LIST = `query ($filter: PaymentSubscriptionFilterInput) { paymentSubscriptions(filter: $filter) {
      edges { node { id order { id active } payment { id } firstPayment { id status }
        payments(first: 1) { totalCount isTotalCountExact pageInfo { hasNextPage endCursor } edges { node { id } } } } } } }`
    interface Listed {
      id: string
      order: object
      firstPayment: object
      payments: Page
    }
    const list = async (filter: object, as = owner) =>
      (
        await ask<{ paymentSubscriptions: { edges: { node: Listed }[] } }>(LIST, { filter }, as)
      ).data.paymentSubscriptions.edges.map(({ node }) => node)
    await until('the subscription', async () => (await list({})).length === 1)
    await passTime(harness, 7 * 86_400)
    await until(
      'the next payment',
      async () => (await list({ status: 'ACTIVE', orderCode }))[0]?.payments.totalCount === 2,
    )
    const [listed] = await list({})
    expect(listed).toMatchObject({
      order: { id: orderCode, active: true },
      firstPayment: { id: first, status: 'SUCCESS' },
      payments: { isTotalCountExact: true, pageInfo: { hasNextPage: true } },
    })
    const REST = `query ($id: ID!, $after: String) { paymentSubscription(id: $id) {
      payments(after: $after) { edges { node { id } } pageInfo { hasNextPage } } } }`
    const { data } = await ask(REST, { id: listed?.id, after: listed?.payments.pageInfo.endCursor }, owner)
    expect(data).toEqual({
      paymentSubscription: { payments: { edges: [{ node: { id: first } }], pageInfo: { hasNextPage: false } } },
    })
    const STATEMENT = `query ($from: DateTime!) { statement(from: $from) { edges { node {
      paymentId payment { id status order { id } } } } } }`
    interface Line {
      paymentId: string | null
      payment: object | null
    }
    const from = new Date(Date.now() - 86_400_000).toISOString()
    const { data: told } = await ask<{ statement: { edges: { node: Line }[] } }>(STATEMENT, { from }, owner)
    expect(told.statement.edges.find(({ node }) => node.paymentId === first)?.node.payment).toEqual({
      ...{ id: first, status: 'SUCCESS', order: { id: orderCode } },
    })
    expect(await list({ status: 'CANCELED' })).toEqual([])
    expect(await list({}, stranger)).toEqual([])
  })
})

describe('verifications', () => {
  it('are listed as they are stored, each access written down, and to their tenant alone', async () => {
    const emails = [await proveEmail(harness, tenant), await proveEmail(harness, tenant)]
    await approve(harness, tenant, { email: String(emails[0]) })
    const LIST =
      'query ($after: String) { kycRecords(first: 1, after: $after) { edges { node { id status } } pageInfo { hasNextPage endCursor } } }'
    interface Verification {
      kycRecords: Page
    }
    const first = (await ask<Verification>(LIST)).data.kycRecords
    const second = (await ask<Verification>(LIST, { after: first.pageInfo.endCursor })).data.kycRecords
    expect([...first.edges, ...second.edges].map(({ node }) => node)).toMatchObject([
      { status: 'PENDING' },
      { status: 'APPROVED' },
    ])
    expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false])
    const accesses = await harness.sql(
      `select person_id from kyc.access_log where operation = 'list-kyc-records' order by id`,
    )
    expect(accesses.map((row) => row['person_id'])).toEqual([...idsOf(first), ...idsOf(second)])
    expect((await ask<Verification>(LIST, {}, stranger)).data.kycRecords.edges).toEqual([])
  })
})

describe('a webhook delivery', () => {
  it('about a person is read with an entry in the access log, one for each request, and listed without one', async () => {
    await proveEmail(harness, tenant)
    const FIND = `{ webhookDeliveries(first: 100) { edges { node { id source resourceId attempts { number } } } } }`
    type Found = { webhookDeliveries: { edges: { node: { id: string; source: string; resourceId: string } }[] } }
    let found: Found['webhookDeliveries']['edges'][number]['node'] | undefined
    await until('it is told of', async () => {
      const { edges } = (await ask<Found>(FIND)).data.webhookDeliveries
      found = edges.map(({ node }) => node).find(({ source }) => source === 'KYC')
      return found !== undefined
    })
    const logged = () =>
      harness.sql(`select actor from kyc.access_log where operation = 'read-webhook-delivery' and person_id = $1`, [
        found?.resourceId,
      ])
    expect(await logged()).toHaveLength(0)
    const READ = `query ($id: ID!) { one: webhookDelivery(id: $id) { body attempts { responseBody } } same: webhookDelivery(id: $id) { body } }`
    expect((await ask<{ one: object }>(READ, { id: found?.id })).data.one).toMatchObject({
      body: { type: 'kyc.updated' },
    })
    await until('it is written down', async () => (await logged()).length > 0)
    expect(await logged()).toHaveLength(1)
    const { status } = await tenant.get(`/webhook/deliveries?resource_id=${String(found?.resourceId)}`)
    expect(status).toBe(200)
    await until('that too', async () => (await logged()).length === 2)
  })

  const LIST = `{ webhookDeliveries(first: 50) { edges { node { type resource { __typename
    ... on Payment { id status } ... on Order { id active } ... on KycRecord { id approved }
    ... on PaymentSubscription { id subscription: status } ... on Refund { id refund: status payment { id } } } } } } }`
  interface Delivered {
    type: string
    resource: { __typename: string; id: string } | null
  }
  const deliveries = async (): Promise<Delivered[]> => {
    const answer = await ask<{ webhookDeliveries: { edges: { node: Delivered }[] } }>(LIST)
    expect(answer.errors).toBeUndefined()
    return answer.data.webhookDeliveries.edges.map(({ node }) => node)
  }

  it('leads to what its event is about, whatever subgraph has it', async () => {
    const id = await tenant.register()
    const order = await tenant.createOrder()
    await proveEmail(harness, tenant)
    await until('all are told of', async () => {
      const types = (await deliveries()).map(({ type }) => type)
      return ['payment.registered', 'order.created', 'kyc.updated'].every((type) => types.includes(type))
    })
    const all = await deliveries()
    const resourceOf = (wanted: string) => all.find(({ resource }) => resource?.id === wanted)?.resource
    expect(resourceOf(id)).toEqual({ __typename: 'Payment', id, status: 'REGISTERED' })
    expect(resourceOf(order)).toEqual({ __typename: 'Order', id: order, active: true })
    const verification = all.find(({ type }) => type === 'kyc.updated')?.resource
    expect(verification).toMatchObject({ __typename: 'KycRecord', approved: expect.any(Boolean) as boolean })
  })
})
