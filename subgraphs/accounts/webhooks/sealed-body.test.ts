import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addEndpoint, endpointDeps, workOff } from '../../../test/harness/endpoints.js'
import { startReceiver } from '../../../test/harness/receiver.js'
import { startWebhooksHarness } from '../../../test/harness/webhooks.js'
import { keyRing, type KeyRing } from '../../../kernel/encryption.js'
import { WEBHOOK_SECRETS } from '../deps.js'
import type { ResourceEvent } from './deps.js'
import { publishEvent } from './publish-event.js'
import { resealBodies } from './reseal-bodies.js'
import { openBody } from './sealed-body.js'
import { storedBodies } from './store/stored-bodies.js'

const harness = await startWebhooksHarness()
const endpoints = endpointDeps(harness)
const newRing = keyRing([randomBytes(32)], WEBHOOK_SECRETS)
const both = { ...newRing, keys: new Map([...newRing.keys, ...harness.keyRing.keys]) }

const verification = (): ResourceEvent => ({ ...harness.event(), source: 'kyc' })
const storedOf = ({ resourceId }: ResourceEvent) =>
  harness.rows<{ id: string; body: string }>(
    'select id, body from accounts.webhook_delivery where resource_id = $1 order by id',
    [resourceId],
  )
const reseal = (ring: KeyRing) => resealBodies({ keyRing: ring, storedBodies: storedBodies(harness.db) })

describe('the body of a delivery about a person', () => {
  it('is stored sealed, and sent and read as it was', async () => {
    const { url, received } = await startReceiver()
    const event = verification()
    await addEndpoint(endpoints, event, { url })
    const deps = harness.depsFor(url)
    await publishEvent(deps, event)
    await workOff(harness, deps)
    const stored = await storedOf(event)
    expect(stored).toHaveLength(2)
    for (const { body } of stored) expect(body).toMatch(/^v1\./)
    const texts = received.map(({ text }) => text)
    expect(texts).toHaveLength(2)
    expect(texts.map((text) => (JSON.parse(text) as { data: object }).data)).toEqual([
      { id: event.resourceId, status: 'registered' },
      { id: event.resourceId, status: 'registered' },
    ])
    for (const delivery of await harness.deliveriesOf(event)) expect(openBody(harness.keyRing, delivery)).toBe(texts[0])
  })

  it('is sealed with another key once attempts fail, and comes through', async () => {
    let status = 500
    const { url, received } = await startReceiver((_message, response) => void response.writeHead(status).end())
    const event = verification()
    await addEndpoint(endpoints, event, { url })
    const deps = harness.depsFor(url)
    await publishEvent(deps, event)
    await workOff(harness, deps)
    expect((await reseal(both)).notOpened).toEqual([])
    status = 200
    await harness.advance(60_000)
    await workOff(harness, harness.depsFor(url, { keyRing: newRing }))
    expect((await harness.deliveriesOf(event)).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
    expect(new Set(received.map(({ text }) => text)).size).toBe(1)
    expect(await reseal(both)).toEqual({ count: 0, notOpened: [] })
    await reseal({ ...harness.keyRing, keys: both.keys })
  })

  it('that was stored before bodies were sealed is sent and read, and sealed by a rotation', async () => {
    const { url } = await startReceiver()
    const [event, payment] = [verification(), harness.event()]
    for (const one of [event, payment]) await publishEvent(harness.depsFor(url), one)
    const [delivery] = await harness.deliveriesOf(event)
    if (!delivery) throw new Error('there is no delivery')
    const text = openBody(harness.keyRing, delivery)
    await harness.rows('update accounts.webhook_delivery set body = $2 where id = $1', [delivery.id, text])
    expect(openBody(harness.keyRing, { ...delivery, body: text })).toBe(text)
    expect(await reseal(harness.keyRing)).toEqual({ count: 1, notOpened: [] })
    const [sealed] = await storedOf(event)
    expect(openBody(harness.keyRing, { ...delivery, body: String(sealed?.body) })).toBe(text)
    expect(sealed?.body).toMatch(/^v1\./)
    expect((await storedOf(payment))[0]?.body).toMatch(/^\{/)
  })

  it('opens at no other delivery, and is named where no key opens it', async () => {
    const event = verification()
    await publishEvent(
      harness.depsFor('https://shop.example/hooks', {
        guard: { request: () => Promise.resolve({ failure: 'timeout' }) },
      }),
      event,
    )
    const [delivery] = await harness.deliveriesOf(event)
    if (!delivery) throw new Error('there is no delivery')
    expect(() => openBody(harness.keyRing, { ...delivery, resourceId: 'another' })).toThrow()
    const named = { tenantId: event.tenantId, id: delivery.id }
    expect((await reseal(newRing)).notOpened).toContainEqual(named)
    expect((await storedOf(event))[0]?.body).toBe(delivery.body)
  })
})
