import { parse } from 'graphql'
import 'reflect-metadata'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../../kernel/log.js'
import { localExecutor } from '../../../kernel/local-executor.js'
import { buildSubgraph } from '../../../kernel/subgraph.js'
import type { IdempotencyRequest } from '../../../kernel/tenant.js'
import { retryWebhook } from './deliver.js'
import type { WebhookReadDeps } from './deps.js'
import { startReceiver } from '../../../test/harness/receiver.js'
import { SECRET, startWebhooksHarness } from '../../../test/harness/webhooks.js'
import { webhookResolvers } from './graphql/resolvers.js'
import { publishEvent } from './publish-event.js'
import { RETRY_DELAYS_MS } from './retry-schedule.js'

const harness = await startWebhooksHarness()
const subgraph = buildSubgraph<WebhookReadDeps>({ resolvers: webhookResolvers, references: {} })
const execute = localExecutor(subgraph.schema, () => ({ webhookDeliveries: harness.deliveries }), createLog('silent'))

async function ask(tenantId: string, document: string, variables: object, idempotency?: IdempotencyRequest) {
  const caller = { tenantId, keyId: 'k1', products: [] }
  const context = { requestId: 'r1', caller, ...(idempotency && { idempotency }) }
  const result = await execute({ document: parse(document), variables: { ...variables }, context })
  const data = result.data as Record<string, never> | null | undefined
  const payload = result.data?.['replayWebhookDelivery'] as { errors?: { code: string }[] } | null | undefined
  const refused = payload?.errors ?? []
  return { data, codes: [...(result.errors ?? []).map(codeOf), ...refused.map(({ code }) => code)] }
}
const codeOf = (error: { extensions: Record<string, unknown> }) => error.extensions['code']

const REPLAY = `mutation ($id: ID!) { replayWebhookDelivery(id: $id) { webhookDelivery { id state attempts { number httpStatus } } errors { code } } }`
const FIND = `query ($id: ID!) { webhookDelivery(id: $id) {
  id source resourceId sequence type url publicClientId body state attempts { number attemptedAt httpStatus failure durationMs }
  nextAttemptAt deliveredAt endpointFailingSince endpointMarkedFailingAt createdAt } }`
const LIST = `query ($first: Int, $after: String, $resourceId: ID, $state: WebhookDeliveryState) {
  webhookDeliveries(first: $first, after: $after, resourceId: $resourceId, state: $state) {
    edges { cursor node { sequence state } } pageInfo { hasNextPage hasPreviousPage endCursor } } }`

const JOB = 'select payload from graphile_worker._private_jobs where key = $1'

async function delivered(event = harness.event()) {
  const { url, received } = await startReceiver()
  const deps = harness.depsFor(url)
  await publishEvent(deps, event)
  const [delivery] = await harness.deliveriesOf(event)
  return { event, url, received, deps, id: delivery?.id ?? '' }
}

describe('a replay', () => {
  it('sends a delivery again under the same id, with the same text', async () => {
    const { event, received, deps, id } = await delivered()
    const { data, codes } = await ask(event.tenantId, REPLAY, { id })
    expect(codes).toEqual([])
    expect(data).toMatchObject({ replayWebhookDelivery: { webhookDelivery: { id, state: 'PENDING' } } })
    const [job] = await harness.rows<{ payload: Parameters<typeof retryWebhook>[1] }>(JOB, [`retry-webhook:${id}`])
    if (!job) throw new Error('there is no job')
    await retryWebhook(deps, job.payload)
    expect(received.map(({ headers, text }) => [headers['webhook-id'], text])).toEqual(
      Array(2).fill([id, received[0]?.text]),
    )
    const found = await ask(event.tenantId, FIND, { id })
    expect(found.data).toMatchObject({
      webhookDelivery: { state: 'DELIVERED', attempts: [{ number: 1 }, { number: 2, httpStatus: 204 }] },
    })
  })

  it('of a delivery that was given up has the whole schedule before it', async () => {
    const { url } = await startReceiver((_message, response) => response.writeHead(500).end())
    const event = harness.event()
    await publishEvent(harness.depsFor(url), event)
    for (const [index, delay] of RETRY_DELAYS_MS.entries()) {
      const [{ tenantId = '', id = '' } = {}] = await harness.deliveriesOf(event)
      harness.clock.advance(delay)
      await retryWebhook(harness.depsFor(url), { tenantId, deliveryId: id, attemptCount: index + 1 })
    }
    const [failed] = await harness.deliveriesOf(event)
    expect(failed).toMatchObject({ state: 'failed', attemptCount: 10 })
    harness.clock.advance(7 * 86_400_000)
    await ask(event.tenantId, REPLAY, { id: failed?.id })
    const refusing = await startReceiver((_message, response) => response.writeHead(500).end())
    await harness.rows('update accounts.webhook_delivery set url = $1 where id = $2', [refusing.url, failed?.id])
    await retryWebhook(harness.depsFor(url), {
      tenantId: event.tenantId,
      deliveryId: failed?.id ?? '',
      attemptCount: 10,
    })
    const [again] = await harness.deliveriesOf(event)
    expect(again).toMatchObject({ state: 'pending', failures: 1, attemptCount: 11 })
    expect(again?.nextAttemptAt?.getTime()).toBe(harness.clock.now().getTime() + 5000)
  })

  it.each([204, 500])('ordered while an attempt is under way comes after it, where that had %d', async (status) => {
    const event = harness.event()
    let id = ''
    const statuses = [500, status]
    const receiver = await startReceiver((_message, response) => {
      const answer = (): void => void response.writeHead(statuses.shift() ?? 204).end()
      if (statuses.length !== 1) return answer()
      void ask(event.tenantId, REPLAY, { id }).then(({ codes }) => {
        expect(codes).toEqual([])
        answer()
      })
    })
    const deps = harness.depsFor(receiver.url)
    await publishEvent(deps, event)
    id = String((await harness.deliveriesOf(event))[0]?.id)
    // Nine have failed: the next failure is the last of the schedule.
    await harness.rows('update accounts.webhook_delivery set failures = 9 where id = $1', [id])
    harness.clock.advance(1)
    await retryWebhook(deps, { tenantId: event.tenantId, deliveryId: id, attemptCount: 1 })
    const now = harness.clock.now()
    const replayed = { state: 'pending', failures: 0, attemptCount: 2, nextAttemptAt: now, startedAt: now }
    expect(await harness.deliveriesOf(event)).toMatchObject([replayed])
    const jobs = await harness.rows<{ payload: Parameters<typeof retryWebhook>[1]; isDue: boolean }>(
      `select payload, run_at <= now() as "isDue" from graphile_worker._private_jobs where key = $1`,
      [`retry-webhook:${id}`],
    )
    expect(jobs).toMatchObject([{ payload: { attemptCount: 2 }, isDue: true }])
    for (const { payload } of jobs) await retryWebhook(deps, payload)
    expect(await harness.deliveriesOf(event)).toMatchObject([{ state: 'delivered', attemptCount: 3 }])
    expect(receiver.received).toHaveLength(3)
  })

  it('with an idempotency key is ordered once', async () => {
    const { event, deps, id } = await delivered()
    let replays = 0
    const request = { key: 'once', fingerprint: 'f1', onReplay: () => (replays += 1) }
    const first = await ask(event.tenantId, REPLAY, { id }, request)
    expect(first.data).toMatchObject({
      replayWebhookDelivery: { webhookDelivery: { id, state: 'PENDING', attempts: [{ number: 1 }] } },
    })
    await retryWebhook(deps, { tenantId: event.tenantId, deliveryId: id, attemptCount: 1 })
    expect(await ask(event.tenantId, REPLAY, { id }, request)).toEqual(first)
    expect(replays).toBe(1)
    const other = await ask(event.tenantId, REPLAY, { id }, { ...request, fingerprint: 'f2' })
    expect(other.codes).toEqual(['IDEMPOTENCY_KEY_REUSED'])
  })

  it("of another tenant's delivery answers as one that does not exist", async () => {
    const { received, id } = await delivered()
    const stranger = harness.event().tenantId
    expect((await ask(stranger, REPLAY, { id })).codes).toEqual(['NOT_FOUND'])
    expect((await ask(stranger, FIND, { id })).codes).toEqual(['NOT_FOUND'])
    expect((await ask(stranger, LIST, {})).data).toMatchObject({ webhookDeliveries: { edges: [] } })
    expect(received).toHaveLength(1)
  })
})

describe('the replays of a tenant on a day', () => {
  const counted = (tenantId: string, count: number, aheadMs = 0) =>
    harness.rows('insert into accounts.webhook_replays (tenant_id, day, count) values ($1, $2::date, $3)', [
      ...[tenantId, new Date(harness.clock.now().getTime() + aheadMs).toISOString().slice(0, 10)],
      count,
    ])

  it('are bounded: one more is refused, leaves the delivery and the idempotency key as they were, and counts tomorrow', async () => {
    const { event, id } = await delivered()
    await counted(event.tenantId, 10_000)
    const request = { key: 'one too many', fingerprint: 'f1', onReplay: () => undefined }
    expect((await ask(event.tenantId, REPLAY, { id }, request)).codes).toEqual(['REPLAY_LIMIT_REACHED'])
    expect(await harness.deliveriesOf(event)).toMatchObject([{ state: 'delivered' }])
    expect(await harness.rows(JOB, [`retry-webhook:${id}`])).toHaveLength(0)
    const other = await delivered()
    expect((await ask(other.event.tenantId, REPLAY, { id: other.id })).codes).toEqual([])
    harness.clock.advance(86_400_000)
    expect((await ask(event.tenantId, REPLAY, { id }, request)).codes).toEqual([])
    expect(await harness.rows(JOB, [`retry-webhook:${id}`])).toHaveLength(1)
  })

  it('are bounded also where another process has the day after already', async () => {
    const { event, id } = await delivered()
    await counted(event.tenantId, 10_000, 86_400_000)
    expect((await ask(event.tenantId, REPLAY, { id })).codes).toEqual(['REPLAY_LIMIT_REACHED'])
  })

  it('are counted exactly where many are ordered at once, and an idempotency key counts once', async () => {
    const { event, id } = await delivered()
    await counted(event.tenantId, 9_997)
    const request = { key: 'once', fingerprint: 'f1', onReplay: () => undefined }
    const same = await Promise.all(Array.from({ length: 4 }, () => ask(event.tenantId, REPLAY, { id }, request)))
    expect(same.flatMap(({ codes }) => codes)).toEqual([])
    const others = await Promise.all(Array.from({ length: 6 }, () => ask(event.tenantId, REPLAY, { id })))
    expect(others.flatMap(({ codes }) => codes)).toEqual(Array(4).fill('REPLAY_LIMIT_REACHED'))
  })
})

describe('a delivery that was sent again very often', () => {
  /** A delivery that has had so many attempts. */
  async function attempted(count: number) {
    const { event, deps, id } = await delivered()
    await harness.rows(
      `insert into accounts.webhook_attempt (tenant_id, delivery_id, number, attempted_at, http_status, duration_ms)
        select $1, $2, number, now(), 500, 1 from generate_series(2, $3::int) as number`,
      [event.tenantId, id, count],
    )
    await harness.rows('update accounts.webhook_delivery set attempt_count = $2 where id = $1', [id, count])
    return { event, deps, id }
  }
  const newest = (count: number) => Array.from({ length: 20 }, (_, index) => ({ number: count - 19 + index }))

  it('is read with the newest of its attempts alone, alone and in a list', async () => {
    const { event, id } = await attempted(500)
    const { data } = await ask(event.tenantId, FIND, { id })
    expect(data).toMatchObject({ webhookDelivery: { attempts: newest(500) } })
    const listed = await harness.deliveriesOf(event)
    expect(listed).toMatchObject([{ attemptCount: 500, attempts: newest(500) }])
  })

  it('is answered again as it was ordered, though it was attempted since', async () => {
    const { event, deps, id } = await attempted(50)
    const request = { key: 'once', fingerprint: 'f1', onReplay: () => undefined }
    const first = await ask(event.tenantId, REPLAY, { id }, request)
    expect(first.data).toMatchObject({ replayWebhookDelivery: { webhookDelivery: { attempts: newest(50) } } })
    await retryWebhook(deps, { tenantId: event.tenantId, deliveryId: id, attemptCount: 50 })
    expect(await ask(event.tenantId, REPLAY, { id }, request)).toEqual(first)
  })

  it('leaves no more than a hundred attempts behind', async () => {
    const { event, deps, id } = await attempted(500)
    await ask(event.tenantId, REPLAY, { id })
    await retryWebhook(deps, { tenantId: event.tenantId, deliveryId: id, attemptCount: 500 })
    const kept = await harness.rows<{ number: number }>(
      'select number from accounts.webhook_attempt where delivery_id = $1 order by number',
      [id],
    )
    expect(kept.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, index) => 402 + index))
  })
})

describe('the deliveries of a tenant', () => {
  it('are readable in full, and show no secret', async () => {
    const { event, url, id } = await delivered()
    const { data, codes } = await ask(event.tenantId, FIND, { id })
    expect(codes).toEqual([])
    expect(data).toMatchObject({
      webhookDelivery: {
        ...{ id, url, source: 'PAYMENTS', resourceId: event.resourceId, sequence: 1, type: 'payment.registered' },
        ...{ state: 'DELIVERED', publicClientId: null, nextAttemptAt: null, endpointFailingSince: null },
        body: { type: 'payment.registered', sequence: 1, data: { id: event.resourceId, status: 'registered' } },
        attempts: [{ number: 1, httpStatus: 204, failure: null }],
        deliveredAt: harness.clock.now().toISOString(),
      },
    })
    expect(JSON.stringify(data)).not.toContain(SECRET.slice('whsec_'.length))
  })

  it('come in pages, newest first, for a resource or a state', async () => {
    const { url } = await startReceiver(({ sequence }, response) =>
      response.writeHead(sequence === 2 ? 500 : 204).end(),
    )
    const event = harness.event()
    const deps = harness.depsFor(url)
    for (const sequence of [1, 2, 3]) {
      harness.clock.advance(1)
      await publishEvent(deps, { ...event, sequence })
    }
    const other = { ...harness.event(), tenantId: event.tenantId }
    harness.clock.advance(1)
    await publishEvent(deps, other)
    const list = async (variables: object) => {
      const { data } = await ask(event.tenantId, LIST, variables)
      const { edges, pageInfo } = data?.['webhookDeliveries'] as unknown as {
        edges: { node: { sequence: number } }[]
        pageInfo: { endCursor: string; hasNextPage: boolean }
      }
      return { sequences: edges.map(({ node }) => node.sequence), ...pageInfo }
    }
    const page = await list({ first: 2, resourceId: event.resourceId })
    expect(page).toMatchObject({ sequences: [3, 2], hasNextPage: true, hasPreviousPage: false })
    expect(await list({ first: 2, resourceId: event.resourceId, after: page.endCursor })).toMatchObject({
      ...{ sequences: [1], hasNextPage: false, hasPreviousPage: true },
    })
    expect((await list({ state: 'PENDING' })).sequences).toEqual([2])
    expect((await list({})).sequences).toEqual([1, 3, 2, 1])
    expect((await ask(event.tenantId, LIST, { first: 101 })).codes).toEqual(['VALIDATION_ERROR'])
    expect((await ask(event.tenantId, LIST, { after: 'x' })).codes).toEqual(['VALIDATION_ERROR'])
  })
})
