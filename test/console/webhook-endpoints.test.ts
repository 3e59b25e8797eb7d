import { describe, expect, it } from 'vitest'
import { type ConsoleBrowser, newMember } from '../harness/console.js'
import { startHarness } from '../harness/harness.js'
import type { Answer } from '../harness/http.js'
import { startReceiver } from '../harness/receiver.js'
import { until } from '../harness/until.js'

const harness = await startHarness()
const { tenant } = harness

const LIST = '{ webhookEndpoints { id url description eventTypes isEnabled previousUntil failingSince } }'
const CREATE = `mutation ($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) { createdWebhookEndpoint { webhookEndpoint { id url } secret } errors { code path } }
}`
const UPDATE = `mutation ($id: ID!, $input: UpdateWebhookEndpointInput!) {
  updateWebhookEndpoint(id: $id, input: $input) { webhookEndpoint { url isEnabled } errors { code path } }
}`
const ROTATE = `mutation ($id: ID!, $hours: Int) {
  rotateWebhookEndpointSecret(id: $id, overlapHours: $hours) { rotatedWebhookSecret { secret } errors { code path } }
}`
const DELETE = 'mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) { webhookEndpoint { id } errors { code path } } }'

interface Created {
  webhookEndpoint: { id: string; url: string }
  secret: string
}

async function create(browser: ConsoleBrowser, input: object): Promise<Created> {
  const { body, text } = await browser.graphql(CREATE, { input })
  const made = body.data?.['createWebhookEndpoint'] as { createdWebhookEndpoint: Created | null } | undefined
  if (!made?.createdWebhookEndpoint) throw new Error(text)
  return made.createdWebhookEndpoint
}

describe('webhook endpoints over GraphQL', () => {
  it('get the events of a payment beside its own address; their deliveries name them and are found by them', async () => {
    const { url, received } = await startReceiver()
    const owner = await newMember(harness, 'owner')
    const { webhookEndpoint } = await create(owner, { url, events: ['payment.registered'], description: 'ERP' })
    const resourceId = await tenant.register()
    await until('the event has come', () => received.length === 1)
    const query = `query ($id: ID!) { webhookDeliveries(endpointId: $id) {
      edges { node { resourceId sequence type endpointId endpoint { id url description eventTypes } endedBecause } }
    } }`
    const { body } = await owner.graphql(query, { id: webhookEndpoint.id })
    const endpoint = { id: webhookEndpoint.id, url, description: 'ERP', eventTypes: ['payment.registered'] }
    const node = { resourceId, sequence: 1, type: 'payment.registered', endedBecause: null }
    expect(body.data?.['webhookDeliveries']).toEqual({
      edges: [{ node: { ...node, endpointId: webhookEndpoint.id, endpoint } }],
    })
    const all = await owner.graphql(
      `query ($of: ID!) { webhookDeliveries(resourceId: $of) { edges { node { endpointId } } } }`,
      { of: resourceId },
    )
    expect(all.text).toContain('"endpointId":null')
    expect(JSON.parse(received[0]?.text ?? '')).toMatchObject({ type: 'payment.registered', data: { id: resourceId } })
  })

  it('are for people alone who may change addresses, soon after a proof; others see them', async () => {
    const developer = await newMember(harness, 'developer')
    const { webhookEndpoint, secret } = await create(developer, { url: 'http://127.0.0.1:9/hook-of-mine' })
    const { id } = webhookEndpoint
    const acts: [string, object][] = [
      [CREATE, { input: { url: 'http://127.0.0.1:9/' } }],
      [UPDATE, { id, input: { isEnabled: false } }],
      [ROTATE, { id }],
      [DELETE, { id }],
    ]
    const support = await newMember(harness, 'support')
    const asKey = (query: string, variables: object): Promise<Answer> =>
      harness.graphql(query, variables, { as: tenant })
    for (const [query, variables] of acts) {
      for (const answer of [await support.graphql(query, variables), await asKey(query, variables)])
        expect(answer.text).toContain('"PERMISSION_DENIED"')
    }
    for (const answer of [await support.graphql(LIST), await asKey(LIST, {})]) expect(answer.text).toContain(id)
    harness.clock.advance(11 * 60_000)
    for (const [query, variables] of acts)
      expect((await developer.graphql(query, variables)).text).toContain('"PROOF_REQUIRED"')
    expect((await developer.graphql(LIST)).text).toContain(
      'hook-of-mine","description":null,"eventTypes":null,"isEnabled":true',
    )
    expect((await developer.graphql(LIST)).text).not.toContain(secret)
  })

  it('answer what is wrong with its field, and are written down without what is secret', async () => {
    const owner = await newMember(harness, 'owner')
    const { webhookEndpoint, secret } = await create(owner, { url: 'http://127.0.0.1:9/hidden-hook' })
    const { id } = webhookEndpoint
    const rotated = await owner.graphql(ROTATE, { id, hours: 0 })
    const [, newSecret = ''] = /"secret":"(whsec_[^"]+)"/.exec(rotated.text) ?? []
    expect(newSecret).not.toBe(secret)
    const wrong: [string, object, string][] = [
      [CREATE, { input: { url: 'http://10.0.0.1/' } }, 'url'],
      [CREATE, { input: { url: 'http://127.0.0.1:9/', events: [] } }, 'events'],
      [UPDATE, { id, input: { events: [] } }, 'events'],
      [ROTATE, { id, hours: 169 }, 'overlapHours'],
    ]
    for (const [query, variables, field] of wrong)
      expect((await owner.graphql(query, variables)).text).toContain(`"${field}"`)
    await owner.graphql(DELETE, { id })
    expect((await owner.graphql(DELETE, { id })).text).toContain('"NOT_FOUND"')
    const [row] = await harness.sql(`select json_agg(e)::text as stored from kernel.audit_entry e
      where operation like '%WebhookEndpoint%'`)
    const stored = String(row?.['stored'])
    expect(stored).toContain(id)
    for (const hidden of ['hidden-hook', secret, newSecret]) expect(stored).not.toContain(hidden.replace('whsec_', ''))
  })
})
