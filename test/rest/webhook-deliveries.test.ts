import { describe, expect, it } from 'vitest'
import type { Scope } from '../../kernel/permissions.js'
import { startHarness } from '../harness/harness.js'
import { until } from '../harness/until.js'

const harness = await startHarness()
const { tenant } = harness
const stranger = await harness.dashboard.newTenant()
await harness.dashboard.setWebhookUrl(tenant)

type Delivery = Record<string, unknown> & { id: string; attempts: object[] }
const list = async (query = '', as = tenant) => {
  const { status, body } = await harness.rest('GET', `/webhook/deliveries?${query}`, { as })
  return { status, body, deliveries: (body.data?.['deliveries'] ?? []) as Delivery[], next: body.data?.['next'] }
}
const untilDelivered = async (resourceId: string): Promise<Delivery> => {
  let found: Delivery | undefined
  await until('the delivery', async () => {
    found = (await list(`resource_id=${resourceId}&state=delivered`)).deliveries[0]
    return found !== undefined
  })
  if (!found) throw new Error('nothing was delivered')
  return found
}
const test = (body: object, headers = {}) => harness.rest('POST', '/webhook/test', { as: tenant, body, headers })

describe('the delivery log', () => {
  it('shows what was sent, with its attempts, page by page and to its tenant alone', async () => {
    const ids = [await tenant.register(), await tenant.register(), await tenant.register()]
    for (const id of ids) {
      expect(await untilDelivered(id)).toMatchObject({
        source: 'payments',
        resource_id: id,
        type: 'payment.registered',
        state: 'delivered',
        body: { type: 'payment.registered', sequence: 1, data: { id } },
        attempts: [{ number: 1, http_status: 204, failure: null, response_body: null }],
      })
    }
    const first = await list('limit=2')
    const second = await list(`limit=2&after=${String(first.next)}`)
    const seen = [...first.deliveries, ...second.deliveries].map(({ resource_id: id }) => id)
    expect(seen.toSorted()).toEqual(ids.toSorted())
    expect([first.deliveries.length, second.next]).toEqual([2, null])
    expect((await list('', stranger)).deliveries).toEqual([])
  })

  it('shows what a delivery carries to those alone who may read what it is about', async () => {
    const id = await tenant.register()
    const { id: deliveryId } = await untilDelivered(id)
    // A receiver may answer with what it was sent.
    await harness.sql(`update accounts.webhook_attempt set response_body = 'an echo' where delivery_id = $1`, [
      deliveryId,
    ])
    const keyWith = async (...scopes: Scope[]) => {
      const { key } = await harness.dashboard.newKey(tenant, { expiresAt: null, scopes })
      const { body } = await harness.rest('GET', `/webhook/deliveries?resource_id=${id}`, { as: key })
      const query = `query ($id: ID!) { webhookDelivery(id: $id) { id body attempts { responseBody } }
        webhookDeliveries(first: 1, resourceId: $id) { edges { node { id } } } }`
      const graph = await harness.graphql(query, { id: deliveryId }, { as: key })
      const rest = body.data?.['deliveries'] as Delivery[]
      const found = graph.body.data?.['webhookDelivery'] as Delivery
      const answers = [rest[0]?.attempts, found.attempts].map((attempts) => Object.values(attempts?.[0] ?? {}).at(-1))
      return { key, bodies: [rest[0]?.['body'], found['body'], ...answers] }
    }
    const shown = expect.objectContaining({ type: 'payment.registered' })
    expect((await keyWith('webhooks:read')).bodies).toEqual([null, null, null, null])
    expect((await keyWith('webhooks:read', 'orders:read', 'kyc:read')).bodies).toEqual([null, null, null, null])
    expect((await keyWith('webhooks:read', 'payments:read')).bodies).toEqual([shown, shown, 'an echo', 'an echo'])
    const { key } = await keyWith('webhooks:read', 'webhooks:write')
    const replayed = await harness.rest('POST', `/webhook/deliveries/${deliveryId}/replay`, { as: key, body: {} })
    expect(replayed.body.data).toMatchObject({ id: deliveryId, body: null })
    const tested = await harness.rest('POST', '/webhook/test', { as: key, body: { type: 'payment.success' } })
    expect(tested.body.data).toMatchObject({ body: { data: { test: true } } })
  })

  it.each([
    ['limit=0', 'limit'],
    ['after=x', 'after'],
    ['state=lost', 'state'],
  ])('?%s names the bad field', async (query, field) => {
    const { status, body } = await list(query)
    expect([status, body.status, body.errors?.[0]?.field]).toEqual([400, 'validation_error', field])
  })

  it('sends a delivery again under its id', async () => {
    const id = await tenant.register()
    const delivery = await untilDelivered(id)
    const replay = (as = tenant) => harness.rest('POST', `/webhook/deliveries/${delivery.id}/replay`, { as })
    expect((await replay()).body).toMatchObject({
      statusCode: 200,
      status: 'webhook_delivery_replayed',
      data: { id: delivery.id },
    })
    await until('the second attempt', async () => (await untilDelivered(id)).attempts.length === 2)
    expect(harness.hooks.of(id).map(({ id: webhookId }) => webhookId)).toEqual([delivery.id, delivery.id])
    expect((await replay(stranger)).body).toMatchObject({ statusCode: 404, status: 'not_found' })
  })
})

describe('a test event', () => {
  it('comes signed to the address of the tenant, and says that it is a test', async () => {
    const { body } = await test({ type: 'refund.succeeded' })
    expect(body).toMatchObject({
      statusCode: 201,
      status: 'webhook_test_sent',
      data: { source: 'tests', type: 'refund.succeeded' },
    })
    const resourceId = String(body.data?.['resource_id'])
    await untilDelivered(resourceId)
    expect(harness.hooks.of(resourceId)).toMatchObject([
      { id: body.data?.['id'], type: 'refund.succeeded', sequence: 1, path: `/${tenant.id}`, data: { test: true } },
    ])
    expect(harness.hooks.refused).toEqual([])
  })

  it('is sent once under its idempotency key', async () => {
    const headers = { 'idempotency-key': 'a test event' }
    const [first, second] = [
      await test({ type: 'payment.success' }, headers),
      await test({ type: 'payment.success' }, headers),
    ]
    expect(second.body.data?.['id']).toBe(first.body.data?.['id'])
    expect(second.headers['idempotent-replayed']).toBe('true')
    await untilDelivered(String(first.body.data?.['resource_id']))
    expect((await test({ type: 'payment.success' }, headers)).text).toBe(first.text)
    expect((await test({ type: 'payment.error' }, headers)).body).toMatchObject({
      statusCode: 422,
      status: 'idempotency_key_reused',
    })
  })

  it('is answered as at first under its idempotency key, also when the address is gone', async () => {
    const moving = await harness.dashboard.newTenant()
    const send = (key: string) =>
      harness.rest('POST', '/webhook/test', {
        ...{ as: moving, body: { type: 'payment.success' } },
        headers: { 'idempotency-key': key },
      })
    await harness.dashboard.setWebhookUrl(moving)
    const first = await send('before')
    await harness.dashboard.setWebhookUrl(moving, null)
    expect((await send('after')).body.status).toBe('webhook_address_missing')
    const again = await send('before')
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, first.text, 'true'])
  })

  it('is of a type that there is', async () => {
    const { status, body } = await test({ type: 'payment.paid' })
    expect([status, body.status, body.errors?.[0]?.field]).toEqual([400, 'validation_error', 'type'])
  })

  it('needs an address', async () => {
    const silent = await harness.dashboard.newTenant()
    const { body } = await harness.rest('POST', '/webhook/test', { as: silent, body: { type: 'payment.success' } })
    expect([body.statusCode, body.status]).toEqual([409, 'webhook_address_missing'])
  })
})
