import { describe, expect, it } from 'vitest'
import { addEndpoint, endpointDeps } from '../../../test/harness/endpoints.js'
import { startReceiver } from '../../../test/harness/receiver.js'
import { startWebhooksHarness } from '../../../test/harness/webhooks.js'
import type { JobKind } from '../../../kernel/jobs.js'
import { retryWebhook } from './deliver.js'
import { deliverToEndpoint } from './deliver-to-endpoint.js'
import type { DeliverySlots } from './delivery-slots.js'
import type { ResourceEvent, WebhookDeps } from './deps.js'
import { webhookJobs } from './jobs.js'
import { publishEvent } from './publish-event.js'
import { DELIVER_TO_ENDPOINT } from './store/endpoint-queue.sql.js'
import { RETRY_WEBHOOK } from './store/webhook-queue.sql.js'

const harness = await startWebhooksHarness()
const AGAIN_IN_MS = 300_000

/** Slots of a process that are all taken, while what `meanwhile` says happens in another one. */
function takenSlots(meanwhile: () => Promise<void>): DeliverySlots {
  return {
    run: async () => {
      await meanwhile()
      return { kind: 'full', againInMs: AGAIN_IN_MS }
    },
    idle: () => Promise.resolve(),
    remembered: () => 0,
  }
}

/** Runs a job as a process does whose slots are taken. */
async function runWithoutSlot(deps: WebhookDeps, name: string, payload: object, meanwhile = () => Promise.resolve()) {
  const slots = takenSlots(meanwhile)
  const kinds = webhookJobs({ ...deps, slots, endpointSlots: slots })
  const kind = kinds.find((one) => one.name === name) as JobKind<object> | undefined
  await kind?.run(payload)
}

const jobsOf = (name: string, id: string) =>
  harness.rows<{ attemptCount: number; isPutOff: boolean }>(
    `select (payload->>'attemptCount')::int as "attemptCount", run_at > now() + interval '4 minutes' as "isPutOff"
      from graphile_worker._private_jobs where key = $1`,
    [`${name}:${id}`],
  )

/** An event whose first attempt failed at a receiver that refuses all. */
async function failedOnce(isEndpoint: boolean) {
  const { url } = await startReceiver((_message, response) => response.writeHead(500).end())
  const event: ResourceEvent = harness.event()
  const endpointId = isEndpoint ? (await addEndpoint(endpointDeps(harness), event, { url })).id : ''
  const deps = harness.depsFor(isEndpoint ? null : url)
  await publishEvent(deps, event)
  const { tenantId } = event
  const deliveryId = String((await harness.deliveriesOf(event))[0]?.id)
  const attempt = (attemptCount: number) =>
    isEndpoint
      ? deliverToEndpoint(deps, { tenantId, endpointId, deliveryId, attemptCount })
      : retryWebhook(deps, { tenantId, deliveryId, attemptCount })
  if (isEndpoint) await attempt(0)
  return { deps, deliveryId, payload: { tenantId, deliveryId, endpointId, attemptCount: 1 }, attempt }
}

describe.each([
  ["the contract's address", false, RETRY_WEBHOOK],
  ['a registered endpoint', true, DELIVER_TO_ENDPOINT],
])('the job of a later attempt at %s that finds no slot', (_where, isEndpoint, name) => {
  it('comes again a little later', async () => {
    const { deps, deliveryId, payload } = await failedOnce(isEndpoint)
    await runWithoutSlot(deps, name, payload)
    expect(await jobsOf(name, deliveryId)).toEqual([{ attemptCount: 1, isPutOff: true }])
  })

  it("takes nothing from the next one's, where another process makes the attempt meanwhile", async () => {
    const { deps, deliveryId, payload, attempt } = await failedOnce(isEndpoint)
    await runWithoutSlot(deps, name, payload, () => attempt(1))
    expect(await jobsOf(name, deliveryId)).toMatchObject([{ attemptCount: 2 }])
  })
})
