import { describe, expect, it } from 'vitest'
import { addressGuard } from '../../../kernel/address-guard.js'
import { retryWebhook } from './deliver.js'
import type { ResourceEvent, WebhookDeps } from './deps.js'
import { ending } from '../../../test/harness/at-end.js'
import { startReceiver } from '../../../test/harness/receiver.js'
import { losingItsAnswer, startWebhooksHarness } from '../../../test/harness/webhooks.js'
import { until } from '../../../test/harness/until.js'
import { publishEvent } from './publish-event.js'
import { openAnswer } from './sealed-answer.js'
import { RETRY_DELAYS_MS } from './retry-schedule.js'
import { LEASE_MS } from './store/webhook-queue.js'

const harness = await startWebhooksHarness()

/** A receiver that gives these statuses in turn, the last one for ever. */
function answering(statuses: number[], headers: Record<string, string> = {}) {
  let given = 0
  return startReceiver((_message, response) => {
    response.writeHead(statuses[Math.min(given, statuses.length - 1)] ?? 500, headers).end()
    given += 1
  })
}

async function only(event: ResourceEvent) {
  const [delivery] = await harness.deliveriesOf(event)
  if (!delivery) throw new Error('there is no delivery')
  return delivery
}

/** What the receiver answered to each attempt, as it is shown. */
const answersOf = async (event: ResourceEvent) =>
  (await only(event)).attempts.map((attempt) => openAnswer(harness.keyRing, attempt))

/** The jobs of a delivery's later attempts, with the machine's time at which they run. */
const retryJobs = (deliveryId: string) =>
  harness.rows<{ payload: { attemptCount: number }; runAt: Date | string }>(
    `select job.payload, job.run_at as "runAt" from graphile_worker._private_jobs job where job.key = $1`,
    [`retry-webhook:${deliveryId}`],
  )

/** Moves the clock to the next attempt and makes it, as its job does. */
async function retry(deps: WebhookDeps, event: ResourceEvent) {
  const { tenantId, id, attemptCount, nextAttemptAt } = await only(event)
  if (nextAttemptAt) harness.clock.advance(nextAttemptAt.getTime() - harness.clock.now().getTime())
  await retryWebhook(deps, { tenantId, deliveryId: id, attemptCount })
}

describe('a delivery that fails', () => {
  it('is tried ten times, at exactly the times of the schedule, and then fails with its endpoint', async () => {
    const { url, received } = await answering([500])
    const deps = harness.depsFor(url)
    const event = harness.event()
    await publishEvent(deps, event)
    for (const delay of RETRY_DELAYS_MS) {
      const { id, state, attemptCount, nextAttemptAt, endpointMarkedFailingAt } = await only(event)
      expect({ state, endpointMarkedFailingAt }).toEqual({ state: 'pending', endpointMarkedFailingAt: null })
      expect((nextAttemptAt?.getTime() ?? 0) - harness.clock.now().getTime()).toBe(delay)
      const [job, ...others] = await retryJobs(id)
      expect(others).toEqual([])
      expect(job?.payload.attemptCount).toBe(attemptCount)
      const runsInMs = new Date(job?.runAt ?? 0).getTime() - Date.now()
      expect(runsInMs).toBeGreaterThan(delay - 5000)
      expect(runsInMs).toBeLessThanOrEqual(delay)
      await retry(deps, event)
    }
    const { attempts, ...delivery } = await only(event)
    expect(delivery).toMatchObject({ state: 'failed', attemptCount: 10, nextAttemptAt: null })
    expect(delivery.endpointMarkedFailingAt).toEqual(harness.clock.now())
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(received).toHaveLength(10)
    expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery.id]))
    expect(new Set(received.map(({ text }) => text))).toEqual(new Set([delivery.body]))
  })

  it('clears the mark of its endpoint when it comes through', async () => {
    const { url } = await answering([...RETRY_DELAYS_MS.map(() => 500), 410, 204])
    const deps = harness.depsFor(url)
    const event = harness.event()
    await publishEvent(deps, event)
    while ((await only(event)).state === 'pending') await retry(deps, event)
    const marked = await only(event)
    expect(marked).toMatchObject({ state: 'failed', attemptCount: 10, endpointMarkedFailingAt: harness.clock.now() })
    await publishEvent(deps, { ...event, sequence: 2 })
    expect(await harness.deliveriesOf(event)).toMatchObject([
      { state: 'failed', endpointFailingSince: null, endpointMarkedFailingAt: null },
      { state: 'delivered', endpointFailingSince: null, nextAttemptAt: null },
    ])
  })

  it('is tried again after 410 Gone as after any other refusal', async () => {
    const { url, received } = await answering([410, 204])
    const event = harness.event()
    const deps = harness.depsFor(url)
    await publishEvent(deps, event)
    const delivery = await only(event)
    expect(delivery).toMatchObject({ state: 'pending', endpointMarkedFailingAt: null })
    expect(delivery.endpointFailingSince).toEqual(harness.clock.now())
    expect(delivery.nextAttemptAt?.getTime()).toBe(harness.clock.now().getTime() + 5000)
    expect(await retryJobs(delivery.id)).toHaveLength(1)
    await retry(deps, event)
    expect(await only(event)).toMatchObject({ state: 'delivered', endpointFailingSince: null })
    expect(received).toHaveLength(2)
  })

  it.each([429, 503])('waits as long as a receiver asks that answers %d', async (status) => {
    const { url } = await answering([status], { 'retry-after': '3600' })
    const event = harness.event()
    await publishEvent(harness.depsFor(url), event)
    expect((await only(event)).nextAttemptAt?.getTime()).toBe(harness.clock.now().getTime() + 3_600_000)
  })

  it.each([301, 307, 400, 500])('counts %d as failed and asks nobody else', async (status) => {
    const elsewhere = await startReceiver()
    const { url, received } = await answering([status], { location: elsewhere.url, 'retry-after': '3600' })
    const event = harness.event()
    await publishEvent(harness.depsFor(url), event)
    const delivery = await only(event)
    expect(delivery).toMatchObject({ state: 'pending', attempts: [{ httpStatus: status }] })
    expect(delivery.nextAttemptAt?.getTime()).toBe(harness.clock.now().getTime() + 5000)
    expect([received.length, elsewhere.received.length]).toEqual([1, 0])
  })

  it('whose name turned to an inner address is refused at the attempt', async () => {
    const { url, received } = await startReceiver()
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }])
    const guard = ending(addressGuard({ allowLoopback: false, allowHttp: true, resolve }))
    const event = harness.event()
    await publishEvent(harness.depsFor(url.replace('127.0.0.1', 'hooks.invalid'), { guard }), event)
    expect((await only(event)).attempts).toMatchObject([{ httpStatus: null, failure: 'address_refused' }])
    expect(received).toHaveLength(0)
  })
})

describe('a name that cannot be looked up', () => {
  it('is looked up again at the next attempt, and reached then', async () => {
    const { url, received } = await startReceiver()
    let isBroken = true
    const resolve = () =>
      isBroken ? Promise.reject(new Error('EAI_AGAIN')) : Promise.resolve([{ address: '127.0.0.1', family: 4 }])
    const guard = ending(addressGuard({ allowLoopback: true, allowHttp: true, resolve }))
    const deps = harness.depsFor(url.replace('127.0.0.1', 'hooks.invalid'), { guard })
    const event = harness.event()
    await publishEvent(deps, event)
    const delivery = await only(event)
    expect(delivery).toMatchObject({ state: 'pending', attempts: [{ httpStatus: null, failure: 'lookup_failed' }] })
    isBroken = false
    await retryWebhook(deps, { tenantId: delivery.tenantId, deliveryId: delivery.id, attemptCount: 1 })
    expect(await only(event)).toMatchObject({ state: 'delivered' })
    expect(received).toHaveLength(1)
  })
})

/** An event whose first attempt failed, and the job of its second one, which succeeds. */
async function failedOnce() {
  const { url, received } = await answering([500, 204])
  const deps = harness.depsFor(url)
  const event = harness.event()
  await publishEvent(deps, event)
  const { tenantId, id } = await only(event)
  return { received, deps, event, id, job: { tenantId, deliveryId: id, attemptCount: 1 } }
}

describe('a later attempt', () => {
  it('is made once, however often and at once its job runs', async () => {
    const { received, deps, job } = await failedOnce()
    await Promise.all([retryWebhook(deps, job), retryWebhook(deps, job), retryWebhook(deps, job)])
    await retryWebhook(deps, job)
    expect(received).toHaveLength(2)
  })

  it('is made again under the same id when its worker dies between POST and record', async () => {
    const { received, deps, event, id, job } = await failedOnce()
    void retryWebhook({ ...deps, queue: { ...deps.queue, record: () => new Promise<never>(() => {}) } }, job)
    await until('they have arrived', () => received.length === 2)
    harness.clock.advance(LEASE_MS + 60_000)
    expect(await deps.queue.resume()).toMatchObject({ deliveries: expect.any(Number) as number })
    expect((await retryJobs(id))[0]?.payload.attemptCount).toBe(1)
    await retryWebhook(deps, job)
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id, id])
    expect(await only(event)).toMatchObject({ state: 'delivered', attemptCount: 2 })
  })

  it.each<[string, (deps: WebhookDeps) => Partial<WebhookDeps>]>([
    ['has no answer to its claim', ({ queue }) => ({ queue: { ...queue, claim: losingItsAnswer(queue.claim) } })],
    ['cannot read the secrets', ({ secretsOf }) => ({ secretsOf: losingItsAnswer(secretsOf) })],
  ])('is made by its job the next time where that %s', async (_what, failing) => {
    const { received, deps, job } = await failedOnce()
    await expect(retryWebhook({ ...deps, ...failing(deps) }, job)).rejects.toThrow('no answer')
    await retryWebhook(deps, job)
    expect(received).toHaveLength(2)
  })

  it('that another worker has comes again when its lease ends', async () => {
    const { received, deps, event, id, job } = await failedOnce()
    void retryWebhook({ ...deps, queue: { ...deps.queue, record: () => new Promise<never>(() => {}) } }, job)
    await until('they have arrived', () => received.length === 2)
    await retryWebhook(deps, job)
    const [again, ...others] = await retryJobs(id)
    expect([again?.payload, others]).toEqual([job, []])
    const inMs = new Date(again?.runAt ?? 0).getTime() - Date.now()
    expect(inMs).toBeGreaterThan(LEASE_MS - 5_000)
    expect(inMs).toBeLessThanOrEqual(LEASE_MS + 100)
    harness.clock.advance(LEASE_MS)
    await retryWebhook(deps, job)
    expect(await only(event)).toMatchObject({ state: 'delivered', attemptCount: 2 })
  })

  it('is signed with the secrets of that moment', async () => {
    const { url, received } = await answering([500, 204])
    const event = harness.event()
    await publishEvent(harness.depsFor(url), event)
    const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH']
    await retry(harness.depsFor(url, { secretsOf: () => Promise.resolve(secrets) }), event)
    const signatures = received.map(({ headers }) => String(headers['webhook-signature']).split(' ').length)
    expect(signatures).toEqual([1, 2])
  })
})

describe('what the receiver answers', () => {
  it('is kept with each attempt, without the secret that the delivery is signed with', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const answers = [`500: ${secret} does not fit`, 'thanks']
    const { url } = await startReceiver((_message, response) => {
      const text = answers.shift() ?? ''
      response.writeHead(answers.length > 0 ? 500 : 200).end(text)
    })
    const deps = harness.depsFor(url, { secretsOf: () => Promise.resolve([secret]) })
    const event = harness.event()
    await publishEvent(deps, event)
    await retry(deps, event)
    expect(await answersOf(event)).toEqual([`500: whsec_${'•'.repeat(32)} does not fit`, 'thanks'])
    await deps.queue.forget(event)
    expect(
      await harness.rows('select from accounts.webhook_attempt where tenant_id = $1', [event.tenantId]),
    ).toHaveLength(0)
  })

  it('that PostgreSQL could not store stops no record, and one that is empty is none', async () => {
    const answers = [Buffer.from('a\u0000b'), Buffer.alloc(0)]
    const { url } = await startReceiver((_message, response) => response.writeHead(400).end(answers.shift()))
    const deps = harness.depsFor(url)
    const event = harness.event()
    await publishEvent(deps, event)
    await retry(deps, event)
    expect((await only(event)).attempts).toMatchObject([{ httpStatus: 400 }, { httpStatus: 400 }])
    expect(await answersOf(event)).toEqual([null, null])
  })

  it('is not waited for: a status alone is an answer', async () => {
    const { url } = await startReceiver((_message, response) => {
      response.writeHead(200, { 'content-length': '99' }).write('so far')
    })
    const event = harness.event()
    await publishEvent(harness.depsFor(url, { attemptTimeoutMs: 60_000 }), event)
    expect(await only(event)).toMatchObject({ state: 'delivered', attempts: [{ httpStatus: 200 }] })
    expect(await answersOf(event)).toEqual(['so far'])
  })
})
