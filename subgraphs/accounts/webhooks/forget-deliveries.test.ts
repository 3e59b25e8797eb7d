import { describe, expect, it } from 'vitest'
import { startReceiver } from '../../../test/harness/receiver.js'
import { startWebhooksHarness } from '../../../test/harness/webhooks.js'
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
})
