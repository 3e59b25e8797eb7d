import { createClient } from 'graphql-sse'
import { describe, expect, it } from 'vitest'
import { openStream, type RawStream, type SentEvent } from '../../test/harness/event-stream.js'
import { startHarness } from '../../test/harness/harness.js'
import type { TestTenant } from '../../test/harness/tenants.js'
import { STREAM_LIMITS } from './live.js'

const harness = await startHarness()
const { tenant, chain } = harness

const follow = (id: string, as: TestTenant = tenant, lastEventId?: string): Promise<RawStream> =>
  openStream(`${harness.url}/payment/${id}/events`, {
    headers: { 'x-api-key': as.key, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
  })

const subscribe = (query: string, variables: object = {}, as: TestTenant = tenant, lastEventId?: string) =>
  openStream(`${harness.url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': as.key, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    body: { query, variables },
  })

const cancel = (id: string, as: TestTenant = tenant) => harness.rest('POST', `/payment/${id}/cancel`, { as })
const dataOf = ({ data }: SentEvent) => JSON.parse(data) as Record<string, unknown>
const all = 'subscription { paymentsUpdated { id sequence status } }'
const paymentsIn = (events: readonly SentEvent[]) =>
  events.map(
    (event) => (dataOf(event)['data'] as { paymentsUpdated: { id: string; sequence: number } }).paymentsUpdated,
  )

describe('the events of a payment', () => {
  it('begin with it as it is, are the bodies of its webhooks, and carry its sequence', async () => {
    const signed = await tenant.signedPayment(await chain.newPayer())
    const stream = await follow(signed.id)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    })
    expect(stream.headers['x-request-id']).toBeTruthy()
    const [now] = await stream.untilCount(1)
    expect(now && dataOf(now)).toMatchObject({ type: 'payment.pending', data: { id: signed.id, status: 'pending' } })
    await tenant.execute(signed)
    const events = await stream.untilCount(2)
    const record = await tenant.statusOf(signed.id)
    expect(dataOf(events.at(-1) as SentEvent)).toMatchObject({ type: 'payment.success', data: record })
    for (const event of events) expect(event.id).toBe(String(dataOf(event)['sequence']))
  })

  it('go on behind Last-Event-ID without a gap, each as it was then', async () => {
    const signed = await tenant.signedPayment(await chain.newPayer())
    await tenant.execute(signed)
    const told = await (await follow(signed.id, tenant, '0')).untilCount(3)
    expect(told.map((event) => (dataOf(event)['data'] as { status: string }).status)).toEqual([
      'registered',
      'pending',
      'success',
    ])
    const [first] = told
    const rest = await (await follow(signed.id, tenant, first?.id)).untilCount(2)
    expect(rest).toEqual(told.slice(1))
  })

  it('begin with the payment as it is where Last-Event-ID is ahead of it, as after a restore', async () => {
    const id = await tenant.register()
    const stream = await follow(id, tenant, '999999')
    const [now] = await stream.untilCount(1)
    expect(now && dataOf(now)).toMatchObject({ type: 'payment.registered', data: { id } })
    await cancel(id)
    const [, next] = await stream.untilCount(2)
    expect(next && dataOf(next)).toMatchObject({ type: 'payment.error' })
  })

  it('come although the connection that listens was lost meanwhile', async () => {
    const id = await tenant.register()
    const stream = await follow(id)
    await stream.untilCount(1)
    await harness.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen%payment_changed%'`,
    )
    await cancel(id)
    const events = await stream.untilCount(2)
    expect(dataOf(events[1] as SentEvent)).toMatchObject({ type: 'payment.error' })
  })

  it('are of no payment of another tenant, and of none that does not exist', async () => {
    const stranger = await harness.dashboard.newTenant()
    const id = await tenant.register()
    for (const unknown of [id, 'cmissing00000000000000000', 'x']) {
      const refused = await follow(unknown, stranger)
      expect([refused.status, JSON.parse(refused.body)]).toMatchObject([404, { status: 'payment_not_found' }])
      const subscribed = await subscribe(
        'subscription ($id: ID!) { paymentUpdated(id: $id) { id } }',
        { id: unknown },
        stranger,
      )
      const [next, complete] = await subscribed.untilCount(2)
      expect(next && dataOf(next)).toMatchObject({ errors: [{ extensions: { code: 'PAYMENT_NOT_FOUND' } }] })
      expect(complete?.event).toBe('complete')
    }
  })

  it('need a key, and a place that is one', async () => {
    const id = await tenant.register()
    const none = await openStream(`${harness.url}/payment/${id}/events`)
    expect([none.status, JSON.parse(none.body)]).toMatchObject([401, { status: 'unauthorized' }])
    const bad = await follow(id, tenant, 'x')
    expect([bad.status, JSON.parse(bad.body)]).toMatchObject([
      400,
      { status: 'validation_error', errors: [{ field: 'last-event-id' }] },
    ])
    const post = await tenant.post(`/payment/${id}/events`)
    expect([post.status, post.headers.allow]).toEqual([405, 'GET'])
  })
})

describe('a subscription', () => {
  it('shows a payment after each change, with what other subgraphs know of it', async () => {
    const order = await tenant.createOrder()
    const id = await tenant.register({ order_code: order })
    const stream = await subscribe(
      `subscription Follow($id: ID!, $first: Int! = 5) { ...Root }
       fragment Root on Subscription { payment: paymentUpdated(id: $id) { ...Shown order { active } } }
       fragment Shown on Payment { id sequence status history(first: $first) { sequence } }`,
      { id },
    )
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    await stream.untilCount(1)
    await cancel(id)
    const [before, after] = await stream.untilCount(2)
    expect([before?.event, before?.id, before && dataOf(before)]).toMatchObject([
      'next',
      '1',
      { data: { payment: { id, sequence: 1, status: 'REGISTERED', order: { active: true } } } },
    ])
    expect([after?.id, after && dataOf(after)]).toMatchObject([
      '2',
      { data: { payment: { id, sequence: 2, status: 'ERROR', history: [{ sequence: 1 }, { sequence: 2 }] } } },
    ])
  })

  it('is read by a client of the protocol', async () => {
    const id = await tenant.register()
    const client = createClient({
      url: `${harness.url}/graphql`,
      headers: { 'x-api-key': tenant.key },
      retryAttempts: 0,
    })
    const query = 'subscription ($id: ID!) { paymentUpdated(id: $id) { sequence status } }'
    const results = client.iterate({ query, variables: { id } })
    expect((await results.next()).value).toMatchObject({
      data: { paymentUpdated: { sequence: 1, status: 'REGISTERED' } },
    })
    await cancel(id)
    expect((await results.next()).value).toMatchObject({ data: { paymentUpdated: { sequence: 2, status: 'ERROR' } } })
    client.dispose()
  })

  it('to all payments tells of each change of the tenant’s own, and of no other', async () => {
    const [own, other] = [await harness.dashboard.newTenant(), await harness.dashboard.newTenant()]
    const ids = [await own.register(), await own.register()]
    const foreign = await other.register()
    const stream = await subscribe(all, {}, own)
    await cancel(foreign, other)
    for (const id of ids) await cancel(id, own)
    const events = await stream.untilCount(2)
    expect(paymentsIn(events)).toEqual(ids.map((id) => ({ id, sequence: 2, status: 'ERROR' })))
  })

  it('to all payments tells of no registration, also of a payment that was registered since it was opened', async () => {
    const own = await harness.dashboard.newTenant()
    const stream = await subscribe(all, {}, own)
    const ids = [await own.register(), await own.register()]
    for (const id of ids) await cancel(id, own)
    expect(paymentsIn(await stream.untilCount(2))).toEqual(ids.map((id) => ({ id, sequence: 2, status: 'ERROR' })))
  })

  it('to all payments goes on where it was, with what happened meanwhile', async () => {
    const own = await harness.dashboard.newTenant()
    const ids = await Promise.all([1, 2, 3].map(() => own.register()))
    const [first = '', ...others] = ids
    const stream = await subscribe(all, {}, own)
    await cancel(first, own)
    const [last] = await stream.untilCount(1)
    stream.close()
    for (const id of others) await cancel(id, own)
    const resumed = await (await subscribe(all, {}, own, last?.id)).untilCount(2)
    expect(paymentsIn(resumed).map(({ id }) => id)).toEqual(others)
    harness.clock.advance(25 * 3_600_000)
    const [refused] = await (await subscribe(all, {}, own, last?.id)).untilCount(2)
    expect(refused && dataOf(refused)).toMatchObject({
      errors: [{ extensions: { code: 'VALIDATION_ERROR', errors: [{ field: 'last-event-id' }] } }],
    })
  })

  it.each([
    ['subscription { nothing }', {}, 'GRAPHQL_VALIDATION_FAILED'],
    ['subscription {', {}, 'GRAPHQL_PARSE_FAILED'],
    ['subscription ($id: ID!) { paymentUpdated(id: $id) { id } }', {}, 'BAD_USER_INPUT'],
    [
      'subscription { paymentsUpdated { order { payments(first: 100) { edges { node { refunds { id } order { payments(first: 100) { edges { node { id } } } } } } } } } }',
      {},
      'QUERY_TOO_COMPLEX',
    ],
    ['subscription { paymentsUpdated { id } other: paymentsUpdated { id } }', {}, 'GRAPHQL_VALIDATION_FAILED'],
    ['subscription { paymentsUpdated @skip(if: true) { id } }', {}, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'subscription ($on: Boolean!) { ...F } fragment F on Subscription { ... @include(if: $on) { paymentsUpdated { id } } }',
      { on: false },
      'GRAPHQL_VALIDATION_FAILED',
    ],
  ])('%s is refused by an event with its code', async (query, variables, code) => {
    const stream = await subscribe(query, variables)
    const [next, complete] = await stream.untilCount(2)
    expect(next && dataOf(next)).toMatchObject({ errors: [{ extensions: { code } }] })
    expect(complete?.event).toBe('complete')
  })
})

describe('a payment after one of its events', () => {
  it('is shown to its tenant, and nothing where there is no such event', async () => {
    const id = await tenant.register()
    await cancel(id)
    const at = async (sequence: number, as = tenant) => {
      const query = 'query ($id: ID!, $sequence: Int!) { paymentAt(id: $id, sequence: $sequence) { sequence status } }'
      return (await harness.graphql(query, { id, sequence }, { as })).body.data?.['paymentAt']
    }
    expect(await at(1)).toEqual({ sequence: 1, status: 'REGISTERED' })
    expect(await at(2)).toEqual({ sequence: 2, status: 'ERROR' })
    for (const none of [3, 0, -2_147_483_648, 2_147_483_647]) expect(await at(none)).toBeNull()
    expect(await at(1, await harness.dashboard.newTenant())).toBeNull()
  })
})

describe('streams of a key', () => {
  it('are limited, and free again once they are closed', async () => {
    const own = await harness.dashboard.newTenant()
    const id = await own.register()
    const open = await Promise.all(Array.from({ length: STREAM_LIMITS.perKey }, () => follow(id, own)))
    expect(open.map(({ status }) => status)).toEqual(open.map(() => 200))
    const [rest, graphql] = [await follow(id, own), await subscribe(all, {}, own)]
    expect([rest.status, JSON.parse(rest.body)]).toMatchObject([429, { status: 'too_many_streams' }])
    expect([graphql.status, JSON.parse(graphql.body)]).toMatchObject([
      429,
      { errors: [{ extensions: { code: 'TOO_MANY_STREAMS' } }] },
    ])
    for (const stream of open) stream.close()
    await expect.poll(async () => (await follow(id, own)).status).toBe(200)
  })

  it('tell nothing more once it is revoked', async () => {
    const own = await harness.dashboard.newTenant()
    const id = await own.register()
    const stream = await follow(id, own)
    await stream.untilCount(1)
    await harness.sql('update accounts.api_key set revoked_at = now() where tenant_id = $1', [own.id])
    harness.clock.advance(5_000)
    await harness.sql(
      `insert into payments.payment_event (tenant_id, payment_id, sequence, type, cause, change, notify, created_at)
       values ($1, $2, 2, 'payment.error', 'canceled', '{}', true, now())`,
      [own.id, id],
    )
    await expect.poll(() => stream.isEnded()).toBe(true)
    expect(stream.events).toHaveLength(1)
  })
})
