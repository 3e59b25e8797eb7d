import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { JobKind } from '../../../kernel/jobs.js'
import { startWorker } from '../../../kernel/worker.js'
import { createLog } from '../../../kernel/log.js'
import { deliverySlots, type DeliverySlots, type SlotLimits, type SlotOwner } from './delivery-slots.js'
import type { ResourceEvent } from './deps.js'
import { addEventJobs } from '../../../test/harness/endpoints.js'
import { startReceiver, type Received } from '../../../test/harness/receiver.js'
import { startWebhooksHarness, viewOf } from '../../../test/harness/webhooks.js'
import { until } from '../../../test/harness/until.js'
import { webhookJobs } from './jobs.js'
import { atEnd } from '../../../test/harness/at-end.js'
import { ownPool } from '../../../test/harness/database.js'

const CONCURRENCY = 4
const OF_ONE_TENANT = 10
/** Limits under which the worker is held by nobody, for one reason each. */
const BOUND: SlotLimits = { perTenant: 2, waitMs: 20, detachAfterMs: 60_000, detachedMax: 0, heldMax: 20 }
const DETACHED: SlotLimits = { perTenant: 8, waitMs: 20, detachAfterMs: 20, detachedMax: 16, heldMax: 4 }

const harness = await startWebhooksHarness()

/** Events of a tenant, each of a resource of its own, so that none waits for another's turn. */
const eventsOf = (count: number): ResourceEvent[] => {
  const { tenantId } = harness.event()
  return Array.from({ length: count }, () => ({ ...harness.event(), tenantId }))
}

/**
 * A worker, and two receivers: one that answers nobody until `answerAll`, and one that answers at once.
 * @param isAnswered whom the first answers all the same
 */
async function startBoth(
  limits: SlotLimits,
  hangs: (event: ResourceEvent) => boolean,
  otherWork: readonly JobKind<never>[] = [],
  isAnswered: (message: Received) => boolean = () => false,
) {
  const held: ServerResponse[] = []
  let isHanging = true
  const hanging = await startReceiver((message, response) => {
    if (isHanging && !isAnswered(message)) held.push(response)
    else response.writeHead(204).end()
  })
  const quick = await startReceiver()
  const urlOf = (event: ResourceEvent): string => (hangs(event) ? hanging.url : quick.url)
  const deps = harness.depsFor(null, {
    slots: deliverySlots(limits),
    renderEvent: (event) => Promise.resolve(viewOf(event, urlOf(event))),
  })
  const pool = ownPool(harness.databaseUrl, CONCURRENCY + 2)
  const kinds = [...webhookJobs(deps), ...otherWork]
  const worker = await startWorker({ pool, kinds, periodic: [], concurrency: CONCURRENCY, log: createLog('silent') })
  const answerAll = (): void => {
    isHanging = false
    for (const response of held.splice(0)) response.writeHead(204).end()
  }
  atEnd(() => deps.slots.idle(5_000))
  atEnd(() => worker.stop())
  atEnd(answerAll)
  return { hanging, quick, answerAll }
}

describe('an event that cannot be rendered yet', () => {
  it('stays with its job until it is written down, however long that takes', async () => {
    const deps = harness.depsFor(null, {
      slots: deliverySlots(DETACHED),
      renderEvent: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5 * DETACHED.detachAfterMs))
        throw new Error('the payments subgraph is away')
      },
    })
    const [publish] = webhookJobs(deps)
    // A job that ends well is gone, and with it all that knew of the event.
    await expect(publish?.run(harness.event() as never)).rejects.toThrow('is away')
  })
})

describe('a receiver that hangs', () => {
  it.each([
    ['has few of its tenant in the worker at once', BOUND],
    ['leaves the worker after a while', DETACHED],
  ])('does not hold back others: it %s', async (_how, limits) => {
    const stuck = eventsOf(OF_ONE_TENANT)
    const others = eventsOf(OF_ONE_TENANT)
    const { hanging, quick, answerAll } = await startBoth(limits, ({ tenantId }) => tenantId === stuck[0]?.tenantId)
    await addEventJobs(harness, stuck)
    await until('they have arrived', () => hanging.received.length === limits.perTenant)
    await addEventJobs(harness, others)
    await until('the others have arrived', () => quick.received.length === others.length)
    // Nobody was answered meanwhile, and no place was given twice.
    expect(hanging.received).toHaveLength(limits.perTenant)
    answerAll()
    await until('they have arrived', () => hanging.received.length === stuck.length)
    const ids = hanging.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(stuck.length)
  })

  it('gets the events of a resource in their order, also those that were put off', async () => {
    const [first] = eventsOf(1)
    if (!first) throw new Error('there is no event')
    const stuck = eventsOf(2).map((event) => ({ ...event, tenantId: first.tenantId }))
    const { hanging, answerAll } = await startBoth(BOUND, () => true)
    await addEventJobs(harness, stuck)
    await until('they have arrived', () => hanging.received.length === 2)
    await addEventJobs(
      harness,
      [3, 1, 2].map((sequence) => ({ ...first, sequence })),
    )
    answerAll()
    const ofFirst = () => hanging.received.filter(({ text }) => text.includes(first.resourceId))
    await until('they have arrived', () => ofFirst().length === 3)
    expect(ofFirst().map(({ sequence }) => sequence)).toEqual([1, 2, 3])
  })
})

describe('receivers of many tenants that hang', () => {
  const FEW: SlotLimits = { perTenant: 2, waitMs: 20, detachAfterMs: 20, detachedMax: 4, heldMax: 2 }

  it('leave places of the worker to other work', async () => {
    let done = 0
    const otherWork: JobKind<never> = {
      ...{ name: 'other-work', maxAttempts: 1 },
      run: () => Promise.resolve(void (done += 1)),
    }
    const { hanging, answerAll } = await startBoth(FEW, () => true, [otherWork])
    const stuck = Array.from({ length: 8 }, () => eventsOf(2)).flat()
    await addEventJobs(harness, stuck)
    await until('as many have arrived as may', () => hanging.received.length === FEW.detachedMax + FEW.heldMax)
    await harness.rows(`select kernel.add_job('other-work', '{}')`)
    await until('the other work is done', () => done === 1)
    expect(hanging.received).toHaveLength(FEW.detachedMax + FEW.heldMax)
    answerAll()
    await until('all have arrived', () => hanging.received.length === stuck.length)
  })

  it('keep nobody waiting whose receiver is at the same host', async () => {
    const limits: SlotLimits = { perTenant: 8, waitMs: 20, detachAfterMs: 20, detachedMax: 128, heldMax: 4 }
    const tenants = Array.from({ length: 5 }, () => eventsOf(limits.perTenant))
    const [other] = eventsOf(1)
    const { hanging, answerAll } = await startBoth(
      limits,
      () => true,
      [],
      ({ text }) => text.includes(other?.resourceId ?? ''),
    )
    await addEventJobs(harness, tenants.flat())
    await until('more have arrived than one host had connections', () => hanging.received.length >= 32)
    await addEventJobs(harness, other ? [other] : [])
    const delivered = `select 1 from accounts.webhook_delivery where resource_id = $1 and state = 'delivered'`
    await until(
      'the other is delivered',
      async () => (await harness.rows(delivered, [other?.resourceId])).length === 1,
      10_000,
    )
    answerAll()
  })

  /** Begins attempts that last until the gate opens. @returns how many found a slot */
  async function begin(slots: DeliverySlots, owners: readonly SlotOwner[], gate: Promise<undefined>): Promise<number> {
    const work = (mayDetach: () => void): Promise<undefined> => {
      mayDetach()
      return gate
    }
    const outcomes = await Promise.all(owners.map((owner) => slots.run(owner, work)))
    return outcomes.filter(({ kind }) => kind === 'detached').length
  }

  it('count together where they are endpoints of one tenant', async () => {
    const limits = { perTenant: 4, perEndpoint: 2, waitMs: 1, detachAfterMs: 1, detachedMax: 100, heldMax: 0 }
    const gate = Promise.withResolvers<undefined>()
    const slots = deliverySlots(limits)
    const endpoints = Array.from({ length: 30 }, (_, n) => ({ tenantId: 'one', endpointId: `endpoint-${n % 10}` }))
    expect(await begin(slots, endpoints.slice(0, 1), gate.promise)).toBe(1)
    expect(await begin(slots, endpoints, gate.promise)).toBe(3)
    const ofOther = Array.from({ length: 3 }, () => ({ tenantId: 'other', endpointId: 'endpoint-0' }))
    expect(await begin(slots, ofOther, gate.promise)).toBe(2)
    gate.resolve(undefined)
    await slots.idle(1_000)
  })

  it('leave something to tenants that have little under way, once half of all is', async () => {
    const limits = { perTenant: 8, waitMs: 1, detachAfterMs: 1, detachedMax: 20, heldMax: 0 }
    const gate = Promise.withResolvers<undefined>()
    const slots = deliverySlots(limits)
    const ofTenant = (tenantId: string): SlotOwner[] => Array.from({ length: 8 }, () => ({ tenantId }))
    const begun: number[] = []
    for (const tenantId of ['a', 'b', 'c', 'd']) begun.push(await begin(slots, ofTenant(tenantId), gate.promise))
    expect(begun).toEqual([8, 2, 2, 2])
    gate.resolve(undefined)
    await slots.idle(1_000)
  })
})

describe('jobs that found no place', () => {
  const LIMITS: SlotLimits = { perTenant: 4, waitMs: 1, detachAfterMs: 60_000, detachedMax: 0, heldMax: 20 }
  const FULL = 200

  /** In how long the last of many jobs comes again, after attempts that lasted so long. */
  async function lastBackoffMs(attemptMs: number): Promise<number> {
    const slots = deliverySlots(LIMITS)
    const lasting = () => new Promise<void>((resolve) => setTimeout(resolve, attemptMs))
    await Promise.all(Array.from({ length: LIMITS.perTenant }, () => slots.run({ tenantId: 'tenant' }, lasting)))
    const gate = Promise.withResolvers<undefined>()
    const taking = Array.from({ length: LIMITS.perTenant }, () => slots.run({ tenantId: 'tenant' }, () => gate.promise))
    let last = 0
    for (let count = 0; count < FULL; count += 1) {
      const outcome = await slots.run({ tenantId: 'tenant' }, () => Promise.reject(new Error('there was a place')))
      if (outcome.kind !== 'full') throw new Error('there was a place')
      last = outcome.againInMs
    }
    gate.resolve(undefined)
    await Promise.all(taking)
    return last
  }

  it('come again as fast as their receivers answer', async () => {
    const quick = await lastBackoffMs(1)
    const slow = await lastBackoffMs(300)
    expect(slow).toBeGreaterThan(quick + 5_000)
  })
})

it('of a thousand tenants nothing is remembered once they are idle, and what is under way keeps its slots', async () => {
  let passedMs = 0
  const slots = deliverySlots({ ...BOUND, perTenant: 1, heldMax: 10_000 }, () => performance.now() + passedMs)
  const gate = Promise.withResolvers<undefined>()
  const underWay = slots.run({ tenantId: 'slow' }, () => gate.promise)
  await Promise.all(
    Array.from({ length: 1_000 }, (_, n) => slots.run({ tenantId: `tenant-${n}` }, () => Promise.resolve())),
  )
  expect(slots.remembered()).toBe(1_001)
  passedMs = 3_600_000
  expect(await slots.run({ tenantId: 'slow' }, () => Promise.resolve())).toMatchObject({ kind: 'full' })
  expect(slots.remembered()).toBe(1)
  gate.resolve(undefined)
  await underWay
})
