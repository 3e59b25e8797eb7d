import { describe, expect, it } from 'vitest'
import { startReceiver } from '../../../test/harness/receiver.js'
import { startWebhooksHarness } from '../../../test/harness/webhooks.js'
import { webhookJobs } from './jobs.js'
import { publishEvent } from './publish-event.js'

const world = await startWebhooksHarness()

describe('the job forget-deliveries', () => {
  it('removes what was told of one resource with its attempts, and of no other', async () => {
    const receiver = await startReceiver()
    const deps = world.depsFor(receiver.url)
    const [erased, kept] = [world.event(), world.event()]
    for (const event of [erased, kept]) await publishEvent(deps, event)
    const forget = webhookJobs(deps).find(({ name }) => name === 'forget-deliveries')
    const { sequence: _, ...resource } = erased
    await forget?.run(resource as never)
    await forget?.run(resource as never)
    expect(await world.deliveriesOf(erased)).toEqual([])
    expect(await world.deliveriesOf(kept)).toHaveLength(1)
    const attempts = await world.rows('select tenant_id from accounts.webhook_attempt')
    expect(attempts).toEqual([{ tenant_id: kept.tenantId }])
  })
})
