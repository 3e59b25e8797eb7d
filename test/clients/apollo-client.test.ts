import { createHash } from 'node:crypto'
import {
  ApolloClient,
  ApolloLink,
  CombinedGraphQLErrors,
  gql,
  HttpLink,
  InMemoryCache,
  Observable,
  ServerError,
} from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { relayStylePagination } from '@apollo/client/utilities'
import { OperationTypeNode, print } from 'graphql'
import { describe, expect, it } from 'vitest'
import { atEnd } from '../harness/at-end.js'
import { CLIENT_DOCUMENTS, clientTransport, type ClientTransport } from '../harness/graphql-clients.js'
import { startHarness } from '../harness/harness.js'
import type { TestTenant } from '../harness/tenants.js'
import { until } from '../harness/until.js'

const harness = await startHarness()

interface Shown {
  id: string
  status: string
  sequence: number
}

interface Listed {
  payments: { edges: { node: Shown }[]; pageInfo: { hasNextPage: boolean; endCursor: string } }
}

const PAYMENT = gql(CLIENT_DOCUMENTS.payment)
const PAYMENTS = gql(CLIENT_DOCUMENTS.payments)
const CANCEL = gql(CLIENT_DOCUMENTS.cancel)
const UPDATED = gql(CLIENT_DOCUMENTS.updated)

interface Opened {
  client: ApolloClient
  transport: ClientTransport
}

/** A client as a shop's page has it: its cache, HTTP for what is asked, and SSE for what is followed. */
function openClient(as: TestTenant, ...before: ApolloLink[]): Opened {
  const transport = clientTransport(harness, as)
  const followed = new ApolloLink(
    ({ query, variables }) =>
      new Observable((reader) =>
        transport.streams.subscribe(
          { query: print(query), variables },
          {
            next: (result) => {
              reader.next(result as ApolloLink.Result)
            },
            error: (cause) => {
              reader.error(cause)
            },
            complete: () => {
              reader.complete()
            },
          },
        ),
      ),
  )
  const asked = ApolloLink.from([
    ...before,
    new HttpLink({ uri: transport.url, headers: transport.headers, fetch: transport.fetch }),
  ])
  const client = new ApolloClient({
    cache: new InMemoryCache({ typePolicies: { Query: { fields: { payments: relayStylePagination() } } } }),
    link: ApolloLink.split(({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION, followed, asked),
  })
  atEnd(() => {
    client.stop()
  })
  return { client, transport }
}

/** What a page shows of a payment, each time that it changed. */
function watch(client: ApolloClient, id: string): (Shown | undefined)[] {
  const seen: (Shown | undefined)[] = []
  const watched = client
    .watchQuery<{ payment: Shown }>({ query: PAYMENT, variables: { id } })
    .subscribe(({ data, dataState }) => {
      if (dataState === 'complete') seen.push(data.payment)
    })
  atEnd(() => {
    watched.unsubscribe()
  })
  return seen
}

describe("Apollo's client", () => {
  it('shows what a mutation has changed, without asking again', async () => {
    const id = await harness.tenant.register()
    const { client, transport } = openClient(harness.tenant)
    const seen = watch(client, id)
    await until('the payment is shown', () => seen.length === 1)
    await client.query({ query: PAYMENTS, variables: { first: 1 } })
    expect(transport.sent).toHaveLength(2)

    const { data } = await client.mutate<{ cancelPayment: { errors: unknown[] } }>({
      mutation: CANCEL,
      variables: { id },
    })
    expect(data?.cancelPayment.errors).toEqual([])
    await until('the change is shown', () => seen.length === 2)
    expect(seen).toMatchObject([
      { id, status: 'REGISTERED', sequence: 1 },
      { id, status: 'ERROR', sequence: 2 },
    ])
    // The list holds the same payment, and is read from what is kept.
    const listed = client.readQuery({ query: PAYMENTS, variables: { first: 1 } })
    expect(listed).toMatchObject({ payments: { edges: [{ node: { id, status: 'ERROR' } }] } })
    expect(transport.sent).toHaveLength(3)
  })

  it('lengthens a list page by page, to its end', async () => {
    const shop = await harness.dashboard.newTenant()
    const ids: string[] = []
    for (let count = 0; count < 5; count++) ids.unshift(await shop.register())
    const { client, transport } = openClient(shop)
    const list = client.watchQuery<Listed>({
      query: PAYMENTS,
      variables: { first: 2 },
      notifyOnNetworkStatusChange: false,
    })
    const pages: Listed['payments'][] = []
    const reading = list.subscribe(({ data, dataState }) => {
      if (dataState === 'complete') pages.push(data.payments)
    })
    atEnd(() => {
      reading.unsubscribe()
    })
    for (const count of [1, 2]) {
      await until('the page is shown', () => pages.length === count)
      const { pageInfo } = pages.at(-1) ?? {}
      expect(pageInfo?.hasNextPage).toBe(true)
      await list.fetchMore({ variables: { after: pageInfo?.endCursor } })
    }
    await until('the last page is shown', () => pages.length === 3)
    expect(pages.map(({ edges }) => edges.length)).toEqual([2, 4, 5])
    expect(pages.at(-1)?.pageInfo.hasNextPage).toBe(false)
    expect(pages.at(-1)?.edges.map(({ node }) => node.id)).toEqual(ids)
    expect(transport.sent).toHaveLength(3)
  })

  it("gives an act's refusal in its payload, and a question's as an error", async () => {
    const { client } = openClient(harness.tenant)
    const variables = { id: 'cmissing00000000000000000' }
    const refused = await client.mutate({ mutation: CANCEL, variables })
    expect(refused.error).toBeUndefined()
    expect(refused.data).toMatchObject({
      cancelPayment: { payment: null, errors: [{ code: 'PAYMENT_NOT_FOUND', path: null }] },
    })

    const asked = { query: PAYMENT, variables, fetchPolicy: 'network-only' } as const
    const { data, error } = await client.query({ ...asked, errorPolicy: 'all' })
    expect(data).toEqual({ payment: null })
    expect(CombinedGraphQLErrors.is(error) && error.errors).toMatchObject([
      { path: ['payment'], extensions: { code: 'PAYMENT_NOT_FOUND' } },
    ])
    await expect(client.query(asked)).rejects.toSatisfy(CombinedGraphQLErrors.is)
    const wrong = client.query({ query: gql('{ nothing }') })
    await expect(wrong).rejects.toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] })
  })

  it('without a key is refused by the status of HTTP', async () => {
    const { client } = openClient({ ...harness.tenant, key: '' })
    const refused: unknown = await client.query({ query: PAYMENTS }).catch((error: unknown) => error)
    expect(ServerError.is(refused) && [refused.statusCode, JSON.parse(refused.bodyText)]).toMatchObject([
      403,
      { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
    ])
  })

  it.each([
    [false, 'POST'],
    [true, 'GET'],
  ])('asks by the hash of a document once its text was sent (by GET: %s)', async (useGETForHashedQueries, method) => {
    const id = await harness.tenant.register()
    const query = gql(`query Of${method}Hash($id: ID!) { payment(id: $id) { id status } }`)
    const hashed = new PersistedQueryLink({
      sha256: (text) => createHash('sha256').update(text).digest('hex'),
      useGETForHashedQueries,
    })
    const { client, transport } = openClient(harness.tenant, hashed)
    const options = { query, variables: { id }, fetchPolicy: 'network-only' } as const
    for (let time = 0; time < 2; time++)
      expect((await client.query(options)).data).toMatchObject({ payment: { id, status: 'REGISTERED' } })
    // The hash, which is not known yet; the text with it; from then on the hash.
    expect(transport.sent.map(({ method: by, parameters }) => [by, 'query' in parameters])).toEqual([
      [method, false],
      ['POST', true],
      [method, false],
    ])
  })

  it('shows what happens elsewhere as its stream tells of it, without asking again', async () => {
    const shop = await harness.dashboard.newTenant()
    const ids = [await shop.register(), await shop.register()] as const
    const { client, transport } = openClient(shop)
    const seen = ids.map((id) => watch(client, id))
    await until('both are shown', () => seen.every(({ length }) => length === 1))
    const told = client.subscribe({ query: UPDATED }).subscribe({})
    atEnd(() => {
      told.unsubscribe()
    })
    await transport.streams.opened
    await harness.rest('POST', `/payment/${ids[1]}/cancel`, { as: shop })
    await until('the change is shown', () => seen[1]?.length === 2)
    expect(seen[1]?.at(-1)).toMatchObject({ id: ids[1], status: 'ERROR', sequence: 2 })
    expect(seen[0]).toHaveLength(1)
    expect(transport.sent).toHaveLength(2)
  })
})
