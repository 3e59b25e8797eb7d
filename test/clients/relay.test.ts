import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  commitMutation,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  getPaginationMetadata,
  getPaginationVariables,
  getRequest,
  getSingularSelector,
  Network,
  Observable,
  RecordSource,
  requestSubscription,
  Store,
  type GraphQLResponse,
  type GraphQLTaggedNode,
  type OperationType,
  type ReaderFragment,
  type Variables,
} from 'relay-runtime'
import { describe, expect, it, onTestFinished, vi, type MockInstance } from 'vitest'
import { projectRoot } from '../../kernel/root.js'
import { atEnd, ownFolder } from '../harness/at-end.js'
import { clientTransport, type ClientTransport } from '../harness/graphql-clients.js'
import { startHarness } from '../harness/harness.js'
import type { TestTenant } from '../harness/tenants.js'
import { until } from '../harness/until.js'

const require = createRequire(import.meta.url)
const harness = await startHarness()

/** A module of a page, as the compiler reads it: its documents are named after it. */
const PAGE = `
  graphql\`query pageOfPaymentQuery($id: ID!) { payment(id: $id) { id status sequence } }\`
  graphql\`query pageOfListQuery($count: Int!, $cursor: String) {
    ...page_list @arguments(count: $count, cursor: $cursor) }\`
  graphql\`fragment page_list on Query
    @argumentDefinitions(count: { type: "Int!" }, cursor: { type: "String" })
    @refetchable(queryName: "pageMoreQuery") {
      payments(first: $count, after: $cursor) @connection(key: "page_list_payments") {
        edges { node { id status sequence } } } }\`
  graphql\`mutation pageCancelMutation($id: ID!) {
    cancelPayment(id: $id) { payment { id status sequence } errors { code message path } } }\`
  graphql\`mutation pageExecuteMutation($input: ExecuteOnChainInput!) {
    executeOnChain(input: $input) { executedPayment { paymentId settled payment { id status } } errors { code } } }\`
  graphql\`subscription pageSubscription { paymentsUpdated { id status sequence } }\`
`

/** What Relay's compiler makes of a module against the committed schema. @returns an artifact by its name */
async function compiled(page: string): Promise<(name: string) => GraphQLTaggedNode> {
  const folder = await ownFolder()
  await mkdir(join(folder, 'src'))
  await mkdir(join(folder, 'made'))
  await writeFile(join(folder, 'src', 'page.js'), page)
  const config = join(folder, 'relay.config.json')
  const schema = join(projectRoot, 'schema', 'api.graphql')
  const options = { src: './src', schema, language: 'javascript', artifactDirectory: './made', eagerEsModules: false }
  await writeFile(config, JSON.stringify(options))
  await promisify(execFile)(require('relay-compiler') as string, [config], { cwd: folder })
  return (name) => require(join(folder, 'made', `${name}.graphql.js`)) as GraphQLTaggedNode
}

const artifact = await compiled(PAGE)

interface Shown extends OperationType {
  response: { payment: { id: string; status: string; sequence: number } | null }
}

interface Opened {
  environment: Environment
  transport: ClientTransport
}

/** Relay as a page has it: its store, HTTP for what is asked, and SSE for what is followed. */
function openRelay(as: TestTenant): Opened {
  const transport = clientTransport(harness, as)
  const ask = async (query: string, variables: Variables): Promise<GraphQLResponse> => {
    const answer = await transport.fetch(transport.url, {
      method: 'POST',
      headers: { ...transport.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    return (await answer.json()) as GraphQLResponse
  }
  const network = Network.create(
    ({ text }, variables) => ask(text ?? '', variables),
    ({ text }, variables) =>
      Observable.create<GraphQLResponse>((sink) =>
        transport.streams.subscribe(
          { query: text ?? '', variables },
          {
            next: (result) => {
              sink.next(result as GraphQLResponse)
            },
            error: (cause) => {
              sink.error(cause as Error)
            },
            complete: () => {
              sink.complete()
            },
          },
        ),
      ),
  )
  const environment = new Environment({
    network,
    store: new Store(new RecordSource()),
    // What a list has brought is found by its id: no two things have the same, whatever their types.
    missingFieldHandlers: [
      {
        kind: 'linked',
        handle: (field, parent, args) =>
          parent?.getType() === '__Root' && field.name === 'payment' ? String(args['id']) : undefined,
      },
    ],
  })
  return { environment, transport }
}

/** What a page shows of a payment, each time that it changed. */
async function watch({ environment }: Opened, id: string): Promise<unknown[]> {
  const operation = createOperationDescriptor(getRequest(artifact('pageOfPaymentQuery')), { id })
  const kept = environment.retain(operation)
  await fetchQuery<Shown>(environment, artifact('pageOfPaymentQuery'), { id }).toPromise()
  const now = environment.lookup(operation.fragment)
  const seen = [now.data as unknown]
  const watched = environment.subscribe(now, ({ data }) => seen.push(data))
  atEnd(() => {
    watched.dispose()
    kept.dispose()
  })
  return seen
}

interface Listed {
  payments: { edges: { node: { id: string } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } }
}

/** A list of a page: what it shows, and its next page, as `usePaginationFragment` asks for it. */
async function openList({ environment }: Opened, variables: Variables) {
  const fragment = artifact('page_list') as ReaderFragment
  const query = createOperationDescriptor(getRequest(artifact('pageOfListQuery')), variables)
  const kept = environment.retain(query)
  atEnd(() => {
    kept.dispose()
  })
  await fetchQuery(environment, artifact('pageOfListQuery'), variables).toPromise()
  const selector = getSingularSelector(fragment, environment.lookup(query.fragment).data)
  const shown = () => (environment.lookup(selector).data as unknown as Listed).payments
  const { paginationRequest, paginationMetadata } = getPaginationMetadata(fragment, 'usePaginationFragment()')
  const loadNext = async (count: number): Promise<void> => {
    const { endCursor } = shown().pageInfo
    const more = getPaginationVariables('forward', count, endCursor, variables, {}, paginationMetadata)
    await fetchQuery(environment, paginationRequest, more, { networkCacheConfig: { force: true } }).toPromise()
  }
  return { shown, loadNext }
}

const commit = (environment: Environment, variables: Variables, mutation = 'pageCancelMutation') =>
  new Promise((resolve, reject) => {
    commitMutation(environment, {
      mutation: artifact(mutation),
      variables,
      onCompleted: resolve,
      onError: reject,
    })
  })

/** What Relay says of data that it cannot keep. */
function warnings(): MockInstance {
  const spy = vi.spyOn(console, 'error')
  onTestFinished(() => {
    spy.mockRestore()
  })
  return spy
}

describe('Relay', () => {
  it('shows what a mutation has changed, without asking again', async () => {
    const warned = warnings()
    const id = await harness.tenant.register()
    const page = openRelay(harness.tenant)
    const seen = await watch(page, id)
    expect(await commit(page.environment, { id })).toMatchObject({ cancelPayment: { errors: [] } })
    expect(seen).toEqual([
      { payment: { id, status: 'REGISTERED', sequence: 1 } },
      { payment: { id, status: 'ERROR', sequence: 2 } },
    ])
    expect(page.transport.sent).toHaveLength(2)
    // As of two objects with one id.
    expect(warned.mock.calls).toEqual([])
  })

  it('keeps a payment and its execution apart, which are about one id', async () => {
    const warned = warnings()
    const { id, raw } = await harness.tenant.signedPayment(await harness.chain.newPayer())
    const page = openRelay(harness.tenant)
    const seen = await watch(page, id)
    const input = { paymentId: id, signedTransaction: raw }
    const executed = await commit(page.environment, { input }, 'pageExecuteMutation')
    expect(executed).toMatchObject({
      executeOnChain: { executedPayment: { paymentId: id, payment: { id, status: 'SUCCESS' } } },
    })
    expect(seen.at(-1)).toMatchObject({ payment: { id, status: 'SUCCESS' } })
    expect(warned.mock.calls).toEqual([])
  })

  it('lengthens a connection page by page, to its end', async () => {
    const shop = await harness.dashboard.newTenant()
    const ids: string[] = []
    for (let count = 0; count < 5; count++) ids.unshift(await shop.register())
    const page = openRelay(shop)
    const { shown, loadNext } = await openList(page, { count: 2 })
    const lengths = [shown().edges.length]
    for (let next = 0; next < 2; next++) {
      expect(shown().pageInfo.hasNextPage).toBe(true)
      await loadNext(2)
      lengths.push(shown().edges.length)
    }
    expect(lengths).toEqual([2, 4, 5])
    expect(shown().pageInfo.hasNextPage).toBe(false)
    expect(shown().edges.map(({ node }) => node.id)).toEqual(ids)
    expect(page.transport.sent).toHaveLength(3)
  })

  it('asks for one payment again by its id, and finds one that it has by it', async () => {
    const id = await harness.tenant.register()
    const page = openRelay(harness.tenant)
    await openList(page, { count: 1 })
    const get = (fetchPolicy: 'network-only' | 'store-or-network') =>
      fetchQuery<Shown>(page.environment, artifact('pageOfPaymentQuery'), { id }, { fetchPolicy }).toPromise()
    expect(await get('store-or-network')).toMatchObject({ payment: { status: 'REGISTERED' } })
    expect(page.transport.sent).toHaveLength(1)
    await harness.tenant.post(`/payment/${id}/cancel`)
    expect(await get('network-only')).toMatchObject({ payment: { status: 'ERROR', sequence: 2 } })
    expect(page.transport.sent).toHaveLength(2)
  })

  it("gives an act's refusal in its payload, and a question's as an error", async () => {
    const { environment } = openRelay(harness.tenant)
    const variables = { id: 'cmissing00000000000000000' }
    const asked = fetchQuery<Shown>(environment, artifact('pageOfPaymentQuery'), variables).toPromise()
    expect(await asked.catch((error: unknown) => error)).toEqual({ payment: null })
    expect(await commit(environment, variables)).toMatchObject({
      cancelPayment: { payment: null, errors: [{ code: 'PAYMENT_NOT_FOUND', path: null }] },
    })
  })

  it('shows what happens elsewhere as its stream tells of it, without asking again', async () => {
    const shop = await harness.dashboard.newTenant()
    const ids = [await shop.register(), await shop.register()] as const
    const page = openRelay(shop)
    const seen = [await watch(page, ids[0]), await watch(page, ids[1])]
    const told = requestSubscription(page.environment, { subscription: artifact('pageSubscription'), variables: {} })
    atEnd(() => {
      told.dispose()
    })
    await page.transport.streams.opened
    await harness.rest('POST', `/payment/${ids[1]}/cancel`, { as: shop })
    await until('the change is shown', () => seen[1]?.length === 2)
    expect(seen[1]?.at(-1)).toEqual({ payment: { id: ids[1], status: 'ERROR', sequence: 2 } })
    expect(seen[0]).toHaveLength(1)
    expect(page.transport.sent).toHaveLength(2)
  })
})
