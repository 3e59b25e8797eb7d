import { describe, expect, it } from 'vitest'
import { startReceiver } from '../../../test/harness/receiver.js'
import { startWebhooksHarness, viewOf } from '../../../test/harness/webhooks.js'
import { webhookJobs } from './jobs.js'
import { publishEvent } from './publish-event.js'

const harness = await startWebhooksHarness()

describe('the job forget-deliveries', () => {
  it('removes what was told of one resource with its attempts, and of no other', async () => {
    const receiver = await startReceiver()
    const deps = harness.depsFor(receiver.url)
    const [erased, kept] = [harness.event(), harness.event()]
    for (const event of [erased, kept]) await publishEvent(deps, event)
    const forget = webhookJobs(deps).find(({ name }) => name === 'forget-deliveries')
    const { sequence: _, ...resource } = erased
    await forget?.run(resource as never)
    await forget?.run(resource as never)
    expect(await harness.deliveriesOf(erased)).toEqual([])
    expect(await harness.deliveriesOf(kept)).toHaveLength(1)
    const attempts = await harness.rows('select tenant_id from accounts.webhook_attempt')
    expect(attempts).toEqual([{ tenant_id: kept.tenantId }])
  })

  it('removes by its second run what was being rendered during its first', async () => {
    const receiver = await startReceiver()
    const [event, rendering] = [harness.event(), Promise.withResolvers<undefined>()]
    const deps = harness.depsFor(receiver.url, {
      renderEvent: async (asked) => {
        await rendering.promise
        return viewOf(asked, receiver.url)
      },
    })
    const published = publishEvent(deps, event)
    const forget = webhookJobs(deps).find(({ name }) => name === 'forget-deliveries')
    await forget?.run(event as never)
    rendering.resolve(undefined)
    await published
    expect(await harness.deliveriesOf(event)).toHaveLength(1)
    await forget?.run(event as never)
    expect(await harness.deliveriesOf(event)).toEqual([])
  })
})
