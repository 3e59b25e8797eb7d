import {
  cacheExchange as documentCache,
  Client,
  fetchExchange,
  gql,
  subscriptionExchange,
  type CombinedError,
  type Exchange,
  type ExecutionResult,
  type OperationResult,
} from '@urql/core'
import { cacheExchange, type KeyingConfig } from '@urql/exchange-graphcache'
import { relayPagination } from '@urql/exchange-graphcache/extras'
import { isObjectType } from 'graphql'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { loadApiSchema } from '../harness/api-schema.js'
import { atEnd } from '../harness/at-end.js'
import { CLIENT_DOCUMENTS, clientTransport, type ClientTransport } from '../harness/graphql-clients.js'
import { startHarness } from '../harness/harness.js'
import type { TestTenant } from '../harness/tenants.js'
import { until } from '../harness/until.js'

const harness = await startHarness()

interface Listed {
  payments: { edges: { node: { id: string } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } }
}

const PAYMENT = gql(CLIENT_DOCUMENTS.payment)
const PAYMENTS = gql(CLIENT_DOCUMENTS.payments)
const CANCEL = gql(CLIENT_DOCUMENTS.cancel)
const UPDATED = gql(CLIENT_DOCUMENTS.updated)

/** Types without an id are part of what holds them. */
const withoutId = (): KeyingConfig =>
  Object.fromEntries(
    Object.values(loadApiSchema().getTypeMap())
      .filter((type) => isObjectType(type) && !('id' in type.getFields()))
      .map(({ name }) => [name, () => null]),
  )

const graphCache = (): Exchange =>
  cacheExchange({ keys: withoutId(), resolvers: { Query: { payments: relayPagination() } } })

interface Opened {
  client: Client
  transport: ClientTransport
}

function openClient(as: TestTenant, cache: Exchange): Opened {
  const transport = clientTransport(harness, as)
  const followed = subscriptionExchange({
    forwardSubscription: ({ query = '', variables = {} }) => ({
      subscribe: (reader) => ({
        unsubscribe: transport.streams.subscribe(
          { query, variables: variables as Record<string, unknown> },
          {
            ...reader,
            next: (result) => {
              reader.next(result as ExecutionResult)
            },
          },
        ),
      }),
    }),
  })
  const client = new Client({
    url: transport.url,
    fetch: transport.fetch,
    fetchOptions: { headers: transport.headers },
    preferGetMethod: false,
    exchanges: [cache, fetchExchange, followed],
  })
  return { client, transport }
}

/** Every answer to a query, as a page that shows it gets them. */
function watch(client: Client, document: typeof PAYMENT, variables: object): OperationResult[] {
  const seen: OperationResult[] = []
  const watched = client.query(document, variables).subscribe((result) => {
    if (!result.stale) seen.push(result)
  })
  atEnd(() => {
    watched.unsubscribe()
  })
  return seen
}

const statusOf = (result: OperationResult | undefined): string | undefined =>
  (result?.data as { payment: { status: string } } | undefined)?.payment.status

const codesOf = (error: CombinedError | undefined): unknown[] | undefined =>
  error?.graphQLErrors.map(({ extensions }) => extensions['code'])

describe("urql's normalised cache", () => {
  it('shows what a mutation has changed, without asking again', async () => {
    const warned = vi.spyOn(console, 'warn')
    onTestFinished(() => {
      warned.mockRestore()
    })
    const id = await harness.tenant.register()
    const { client, transport } = openClient(harness.tenant, graphCache())
    const seen = watch(client, PAYMENT, { id })
    await until('the payment is shown', () => seen.length === 1)
    await client.query(PAYMENTS, { first: 1 })
    const { data } = await client.mutation(CANCEL, { id })
    expect(data).toMatchObject({ cancelPayment: { errors: [] } })
    await until('the change is shown', () => statusOf(seen.at(-1)) === 'ERROR')
    expect(statusOf(seen[0])).toBe('REGISTERED')
    expect(seen.at(-1)?.data).toMatchObject({ payment: { id, status: 'ERROR', sequence: 2 } })
    expect(client.readQuery(PAYMENTS, { first: 1 })?.data).toMatchObject({
      payments: { edges: [{ node: { id, status: 'ERROR' } }] },
    })
    expect(transport.sent).toHaveLength(3)
    // As of an object that it cannot keep, or of ids that are not what they seem.
    expect(warned.mock.calls).toEqual([])
  })

  it('lengthens a list page by page, to its end', async () => {
    const shop = await harness.dashboard.newTenant()
    const ids: string[] = []
    for (let count = 0; count < 5; count++) ids.unshift(await shop.register())
    const { client } = openClient(shop, graphCache())
    const pages: Listed['payments'][] = []
    for (let page = 0; page < 3; page++) {
      const variables = { first: 2, after: pages.at(-1)?.pageInfo.endCursor ?? null }
      const { data } = await client.query<Listed>(PAYMENTS, variables)
      if (data) pages.push(data.payments)
    }
    expect(pages.map(({ edges }) => edges.length)).toEqual([2, 4, 5])
    expect(pages.map(({ pageInfo }) => pageInfo.hasNextPage)).toEqual([true, true, false])
    expect(pages.at(-1)?.edges.map(({ node }) => node.id)).toEqual(ids)
  })

  it('shows what happens elsewhere as its stream tells of it, without asking again', async () => {
    const shop = await harness.dashboard.newTenant()
    const ids = [await shop.register(), await shop.register()] as const
    const { client, transport } = openClient(shop, graphCache())
    const seen = ids.map((id) => watch(client, PAYMENT, { id }))
    await until('both are shown', () => seen.every(({ length }) => length === 1))
    const told = client.subscription(UPDATED, {}).subscribe(() => undefined)
    atEnd(() => {
      told.unsubscribe()
    })
    await transport.streams.opened
    await harness.rest('POST', `/payment/${ids[1]}/cancel`, { as: shop })
    await until('the change is shown', () => statusOf(seen[1]?.at(-1)) === 'ERROR')
    expect(seen[1]?.at(-1)?.data).toMatchObject({ payment: { id: ids[1], status: 'ERROR', sequence: 2 } })
    expect(seen[0]).toHaveLength(1)
    expect(transport.sent).toHaveLength(2)
  })
})

describe("urql's cache of documents", () => {
  it('asks again for what holds a payment that a mutation has changed', async () => {
    const id = await harness.tenant.register()
    const { client, transport } = openClient(harness.tenant, documentCache)
    const seen = watch(client, PAYMENT, { id })
    await until('the payment is shown', () => seen.length === 1)
    await client.query(PAYMENT, { id })
    expect(transport.sent).toHaveLength(1)
    await client.mutation(CANCEL, { id })
    await until('the change is shown', () => statusOf(seen.at(-1)) === 'ERROR')
    expect(seen.at(-1)?.data).toMatchObject({ payment: { id, status: 'ERROR', sequence: 2 } })
    expect(transport.sent).toHaveLength(3)
  })
})

describe('urql', () => {
  it("gives an act's refusal in its payload, a question's as an error, and a key's too", async () => {
    const { client } = openClient(harness.tenant, documentCache)
    const variables = { id: 'cmissing00000000000000000' }
    const refused = await client.mutation(CANCEL, variables)
    expect(refused.error).toBeUndefined()
    expect(refused.data).toMatchObject({
      cancelPayment: { payment: null, errors: [{ code: 'PAYMENT_NOT_FOUND', path: null }] },
    })
    const { data, error } = await client.query(PAYMENT, variables)
    expect([data, codesOf(error)]).toEqual([{ payment: null }, ['PAYMENT_NOT_FOUND']])
    const stranger = openClient({ ...harness.tenant, key: '' }, documentCache)
    expect(codesOf((await stranger.client.query(PAYMENT, variables)).error)).toEqual(['UNAUTHENTICATED'])
  })

  it('is refused a subscription by an error of its stream', async () => {
    const { client } = openClient(harness.tenant, documentCache)
    const FOLLOWED = gql('subscription ($id: ID!) { paymentUpdated(id: $id) { id } }')
    const results: OperationResult[] = []
    client.subscription(FOLLOWED, { id: 'cmissing00000000000000000' }).subscribe((result) => results.push(result))
    await until('it is refused', () => results.length > 0)
    expect(codesOf(results[0]?.error)).toEqual(['PAYMENT_NOT_FOUND'])
  })
})
