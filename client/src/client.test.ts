import { describe, expect, it } from 'vitest'
import { startHarness } from '../../test/harness/harness.js'
import { serve } from '../../test/harness/serve.js'
import { countPayments, orderBody, registerBody } from '../../test/harness/rest-payments.js'
import { CallError, ConnectionError, RateLimitedError } from './api-error.js'
import type { CallOptions } from './call.js'
import { createClient, type ClientOptions } from './client.js'
import { OrderNotFoundError, UnauthorizedError, ValidationError } from './generated/errors.js'
import type { CreateOrderParams, RegisterPaymentParams } from './generated/types.js'
import type { GraphqlError } from './graphql.js'
import { eachOrder, eachPayment } from './pages.js'

const harness = await startHarness({ RATE_LIMIT_PER_MINUTE: '600' })
const { tenant } = harness

/** A client that remembers for how long it would have slept, and does not sleep. */
function newClient(options: Partial<ClientOptions> = {}) {
  const waits: number[] = []
  const client = createClient({
    baseUrl: harness.url,
    apiKey: tenant.key,
    random: () => 0.5,
    sleep: (ms) => Promise.resolve(void waits.push(ms)),
    ...options,
  })
  return { client, waits }
}

const payment = (changes: Record<string, unknown> = {}) =>
  registerBody(tenant, changes) as unknown as RegisterPaymentParams

describe('a client', () => {
  const { client } = newClient()

  it('registers a payment and reads it, with types of the document', async () => {
    const registered = await client.registerPayment(payment())
    expect(registered).toMatchObject({ status: 'payment_registered', isReplayed: false })
    expect(registered.requestId).toBeTypeOf('string')
    const { data } = await client.paymentStatus({ id: registered.data.payment_id })
    expect(data).toMatchObject({ id: registered.data.payment_id, status: 'registered', amount_from: '100' })
  })

  it('puts parameters into path, query and body', async () => {
    const { data } = await client.createOrder(orderBody() as unknown as CreateOrderParams)
    const { data: changed } = await client.updateOrder({ order_id: data.order_id, amount_from: '7' })
    expect(changed.amount_from).toBe('7')
    const { data: listed } = await client.listOrders({ limit: 1, on_ramp: false })
    expect(listed.orders.map(({ id }) => id)).toEqual([data.order_id])
    expect((await client.deleteOrder({ order_id: data.order_id })).status).toBe('order_deleted')
    await expect(client.getOrder({ order_id: '' })).rejects.toThrow('order_id is required')
  })

  it.each(['localhost:4610', 'api.example.com', 'ftp://api.example.com', 'http://'])(
    'is not made for %s, which is no address',
    (baseUrl) => {
      expect(() => createClient({ baseUrl })).toThrow('it has to begin with https:// or http://')
    },
  )

  it('throws an error of a class by its code, with all wrong fields', async () => {
    const unknown = client.getOrder({ order_id: 'c000000000000000000000000' })
    await expect(unknown).rejects.toBeInstanceOf(OrderNotFoundError)
    await expect(unknown).rejects.toMatchObject({
      name: 'OrderNotFoundError',
      code: 'order_not_found',
      httpStatus: 404,
    })
    const bad = await client
      .registerPayment(payment({ amount_from: 'x', on_ramp: 'no' }))
      .catch((error: unknown) => error)
    expect(bad).toBeInstanceOf(ValidationError)
    expect((bad as ValidationError).fields.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['amount_from', 'on_ramp']),
    )
    const stranger = newClient({ apiKey: 'sk_test_unknown' }).client
    await expect(stranger.configProducts()).rejects.toBeInstanceOf(UnauthorizedError)
  })

  it('runs GraphQL, and throws what its answer says', async () => {
    const { orders } = await client.graphql<{ orders: { edges: unknown[] } }>(
      '{ orders(first: 1) { edges { node { id } } } }',
    )
    expect(orders.edges).toBeInstanceOf(Array)
    const failed = client.graphql('query ($id: ID!) { order(id: $id) { nothing } }', { id: 'x' })
    await expect(failed).rejects.toThrow()
    const missing = await client
      .graphql('query ($id: ID!) { order(id: $id) { id } }', { id: 'c000000000000000000000000' })
      .catch((error: unknown) => error)
    expect((missing as GraphqlError).errors[0]?.code).toBe('ORDER_NOT_FOUND')
  })

  it('reads lists to their end, page by page', async () => {
    const owner = await harness.dashboard.newTenant()
    const { client: lister } = newClient({ apiKey: owner.key })
    for (let count = 0; count < 5; count += 1) {
      await lister.registerPayment(registerBody(owner) as unknown as RegisterPaymentParams)
      await lister.createOrder(orderBody() as unknown as CreateOrderParams)
    }
    const [payments, orders] = [new Set<string>(), new Set<string>()]
    for await (const { id } of eachPayment(lister, { limit: 2 })) payments.add(id)
    for await (const { id } of eachOrder(lister, { limit: 2 })) orders.add(id)
    expect([payments.size, orders.size]).toEqual([5, 5])
  })
})

describe('a request that fails', () => {
  it('is repeated under the same idempotency key where its answer was lost, and does nothing twice', async () => {
    let lost = 2
    const keys = new Set<string | null>()
    const { client, waits } = newClient({
      fetch: async (url, init) => {
        keys.add(new Headers(init.headers).get('idempotency-key'))
        const response = await fetch(url, init)
        if (lost-- > 0) throw new TypeError('the connection was cut')
        return response
      },
    })
    const before = await countPayments(harness)
    const answer = await client.registerPayment(payment())
    expect(answer.isReplayed).toBe(true)
    expect(keys.size).toBe(1)
    expect(await countPayments(harness)).toBe(before + 1)
    // Half of half a second, then half of one.
    expect(waits).toEqual([250, 500])
  })

  it('waits as long as the service asks for, where the rate is exceeded', async () => {
    const owner = await harness.dashboard.newTenant()
    const { client, waits } = newClient({ apiKey: owner.key, maxRetries: 1 })
    const answers = await Promise.allSettled(Array.from({ length: 700 }, () => client.configProducts()))
    const refused = answers.filter((answer) => answer.status === 'rejected')
    expect(refused[0]?.reason).toBeInstanceOf(RateLimitedError)
    expect(waits.length).toBeGreaterThan(0)
    for (const ms of waits) expect(ms % 1000).toBe(0)
  })

  it('is not repeated where that would change nothing, or could do harm', async () => {
    const { client, waits } = newClient()
    await expect(client.getOrder({ order_id: 'unknown' })).rejects.toBeInstanceOf(OrderNotFoundError)
    await expect(client.registerPayment(payment({ on_ramp: 1 }))).rejects.toBeInstanceOf(ValidationError)
    expect(waits).toEqual([])
  })

  it('ends as a ConnectionError after the last try, and at once where the caller ends it', async () => {
    const { client, waits } = newClient({ baseUrl: 'http://127.0.0.1:9' })
    await expect(client.configProducts()).rejects.toBeInstanceOf(ConnectionError)
    expect(waits).toHaveLength(2)
    const signal = AbortSignal.abort(new Error('no longer wanted'))
    await expect(client.configProducts({}, { signal })).rejects.toThrow('no longer wanted')
    expect(waits).toHaveLength(2)
  })

  it('does not follow a redirect, which would carry the key elsewhere', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(307, { location: `${harness.url}/config/products` }).end()
    })
    const { client } = newClient({ baseUrl: url, maxRetries: 0 })
    await expect(client.configProducts()).rejects.toBeInstanceOf(ConnectionError)
  })
})

describe('a writing call that fails', () => {
  const answers = (...list: (() => Response)[]) => {
    const left = [...list]
    return () => {
      const next = left.shift()
      return next ? Promise.resolve(next()) : Promise.reject(new TypeError('refused'))
    }
  }
  const cut = () => {
    throw new TypeError('cut')
  }
  const refused = (status: string, http: number) => () =>
    new Response(JSON.stringify({ statusCode: http, status, message: 'No.' }), { status: http })
  const failureOf = (fetch: ClientOptions['fetch'], options: CallOptions = {}) =>
    newClient({ ...(fetch && { fetch }), newId: () => 'made' })
      .client.refundPayment({ id: 'c1' }, options)
      .catch((error: unknown) => error)

  it.each([
    ['no answer', answers(), true],
    ['a refusal', answers(refused('payment_not_found', 404)), false],
    ['a failure of the service', answers(refused('server_error', 500)), true],
    [
      'a proxy that gave up',
      answers(...Array.from({ length: 3 }, () => () => new Response('', { status: 504 }))),
      true,
    ],
    ['an answer that is not the service’s', answers(() => new Response('<html>')), true],
    ['no answer, and a key that is not valid any more then', answers(cut, refused('unauthorized', 401)), true],
  ])('says under which key, and whether it may have happened: %s', async (_case, fetch, mayHaveHappened) => {
    const failure = await failureOf(fetch)
    expect(failure).toBeInstanceOf(CallError)
    expect(failure).toMatchObject({ idempotencyKey: 'made', mayHaveHappened })
    expect(await failureOf(answers(refused('server_error', 500)), { idempotencyKey: 'own' })).toMatchObject({
      idempotencyKey: 'own',
    })
  })

  it('says so over GraphQL, and a reading call says neither', async () => {
    const errors = [{ message: 'late', extensions: { code: 'PROVIDER_TIMEOUT' } }]
    const { client } = newClient({ fetch: answers(() => Response.json({ errors })), newId: () => 'made' })
    await expect(client.graphql('mutation { x }')).rejects.toMatchObject({
      idempotencyKey: 'made',
      mayHaveHappened: true,
    })
    await expect(client.listOrders({})).rejects.toMatchObject({ idempotencyKey: undefined, mayHaveHappened: false })
  })
})
