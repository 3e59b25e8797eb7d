import { describe, expect, it } from 'vitest'
import { type Answer, send } from '../../test/harness/http.js'
import { startHarness } from '../../test/harness/harness.js'

const BY_ID = 'query ($id: ID!) { payment(id: $id) { id status } }'
const FLAGGED = `query ($all: Boolean!, $n: Int = 100) {
  products { pix }
  payments(first: $n) @include(if: $all) { edges { node { id metadata history(first: 5) { status } } } }
}`

const harness = await startHarness()
const paymentId = await harness.tenant.register()

function post(body: object, key = harness.tenant.key, accept?: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-api-key': key, ...(accept !== undefined && { accept }) }
  return send({ method: 'POST', url: `${harness.url}/graphql`, headers, body: JSON.stringify(body) })
}

describe('a query that was answered before', () => {
  /** The short way is for clients that ask for JSON plainly; the same with a quality takes the long one. */
  async function bothWays(body: object): Promise<void> {
    await post(body)
    const short = await post(body)
    const long = await post(body, harness.tenant.key, 'application/json;q=1')
    expect(JSON.stringify(short.body)).toBe(JSON.stringify(long.body))
    expect(short.status).toBe(long.status)
    const told = ['content-type', 'cache-control', 'ratelimit-policy']
    expect(told.map((name) => short.headers[name])).toEqual(told.map((name) => long.headers[name]))
  }

  it.each([
    ['with data', () => ({ query: BY_ID, variables: { id: paymentId } })],
    ['with an error of ours', () => ({ query: BY_ID, variables: { id: 'cunknown0000000000000000' } })],
    ['with a variable of the wrong type', () => ({ query: BY_ID, variables: { id: {} } })],
    ['without its variable', () => ({ query: BY_ID })],
    [
      'with what only the gateway can answer',
      () => ({ query: '{ account { name } orders(first: 1) { edges { node { id } } } }' }),
    ],
    [
      'with a page as long as its variable says',
      () => ({ query: 'query ($n: Int!) { payments(first: $n) { edges { node { id } } } }', variables: { n: 2 } }),
    ],
    ['with what its variable leaves out', () => ({ query: FLAGGED, variables: { all: false } })],
    ['with a page that is too long', () => ({ query: FLAGGED, variables: { all: true, n: 101 } })],
    ['with the schema', () => ({ query: '{ __schema { queryType { name } } }' })],
  ])('is answered the same as the first time, %s', async (_, body) => {
    await bothWays(body())
  })

  it('costs what its variables ask for, each time', async () => {
    const costs: unknown[] = []
    for (const all of [false, true, false, true]) {
      const { body } = await post({ query: FLAGGED, variables: { all } })
      costs.push((body as { extensions?: { cost: { requested: number } } }).extensions?.cost.requested)
    }
    expect([costs[0], costs[2], costs[1]]).toEqual([1, 1, costs[3]])
    expect(costs[1]).toBeGreaterThan(8)
  })

  it('is refused where other variables make it too large', async () => {
    const page = 'payments(first: 100) @include(if: $all) { edges { node { id } } }'
    const query = `query ($all: Boolean!) { products { pix } orders(first: 100) { edges { node { id ${page} } } } }`
    const statuses: number[] = []
    for (const all of [false, true, false]) statuses.push((await post({ query, variables: { all } })).status)
    expect(statuses).toEqual([200, 400, 200])
  })

  it('never lets another tenant see what the first one asked for', async () => {
    const query = { query: BY_ID, variables: { id: paymentId } }
    await post(query)
    const stranger = await harness.dashboard.newTenant()
    const { body } = await post(query, stranger.key)
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'PAYMENT_NOT_FOUND' } }] })
  })
})
