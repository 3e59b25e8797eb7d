import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { GuardedAnswer } from '../../../kernel/address-guard.js'
import { atEnd } from '../../../test/harness/at-end.js'
import { addEndpoint, addEventJobs, endpointDeps, workOff } from '../../../test/harness/endpoints.js'
import { startReceiver } from '../../../test/harness/receiver.js'
import { startWebhooksHarness } from '../../../test/harness/webhooks.js'
import { deliverySlots, type DeliverySlots } from './delivery-slots.js'

const harness = await startWebhooksHarness()

describe('a tenant whose receivers answer', () => {
  const limits = { perTenant: 8, waitMs: 1, detachAfterMs: 1, detachedMax: 40, heldMax: 0, slowAfterMs: 60 }
  const TIMED_OUT = { failure: 'timeout' } as const
  const ANSWERED = { status: 204, headers: {} }
  /** A job of one request, which is answered so once the gate opens. */
  const request = (slots: DeliverySlots, tenantId: string, answer: GuardedAnswer, gate: Promise<unknown>) =>
    slots.run({ tenantId }, async (mayDetach, timed) => {
      mayDetach()
      await timed(() => gate.then(() => answer))
    })
  const answered = (slots: DeliverySlots, tenantId: string) => request(slots, tenantId, ANSWERED, Promise.resolve())
  const timesOut = (slots: DeliverySlots, tenantId: string) => request(slots, tenantId, TIMED_OUT, Promise.resolve())
  const isSlow = (slots: DeliverySlots, tenantId: string) =>
    request(slots, tenantId, ANSWERED, sleep(2 * limits.slowAfterMs))

  /** 100 tenants whose receivers have been late before. @param quickAnswers that each of them has had since */
  async function lateTenants(slots: DeliverySlots, beLate: typeof isSlow, quickAnswers = 0): Promise<string[]> {
    const tenants = Array.from({ length: 100 }, (_, n) => `${beLate.name}-${n}`)
    // A few at once: none of them is to find the slots taken.
    for (let first = 0; first < tenants.length; first += 10) {
      const few = tenants.slice(first, first + 10)
      await Promise.all(few.map((tenantId) => beLate(slots, tenantId)))
      await slots.idle(1_000)
      for (let count = 0; count < quickAnswers; count += 1)
        await Promise.all(few.map((tenantId) => answered(slots, tenantId)))
    }
    return tenants
  }

  /** Has tenants take all slots that they may have, until the test ends. @returns how many that is */
  async function takeAll(slots: DeliverySlots, tenants: readonly string[]): Promise<number> {
    const gate = Promise.withResolvers<undefined>()
    atEnd(() => gate.resolve(undefined))
    const outcomes = await Promise.all(tenants.map((tenantId) => request(slots, tenantId, TIMED_OUT, gate.promise)))
    return outcomes.filter(({ kind }) => kind !== 'full').length
  }

  it.each([
    ['have hung before', 0],
    ['have hung before, and answered since to look quick', 20],
  ])('has a slot at once, however many tenants take all they can whose receivers %s', async (_who, quickAnswers) => {
    const slots = deliverySlots(limits)
    const [slow, hanging] = [await lateTenants(slots, isSlow), await lateTenants(slots, timesOut, quickAnswers)]
    expect(await takeAll(slots, hanging)).toBe(20)
    expect(await takeAll(slots, slow)).toBe(10)
    expect(await answered(slots, 'honest')).not.toMatchObject({ kind: 'full' })
  })

  it('has one though they need some seconds each, however many tenants hang', async () => {
    const slots = deliverySlots(limits)
    await isSlow(slots, 'honest')
    expect(await takeAll(slots, await lateTenants(slots, timesOut))).toBe(20)
    expect(await answered(slots, 'honest')).not.toMatchObject({ kind: 'full' })
  })

  it('counts as quick however long its job takes, which makes many requests and waits for our database', async () => {
    const slots = deliverySlots(limits)
    await slots.run({ tenantId: 'honest' }, async (mayDetach, timed) => {
      mayDetach()
      for (let made = 0; made < 5; made += 1) await timed(() => sleep(limits.slowAfterMs / 4, ANSWERED))
      await sleep(2 * limits.slowAfterMs)
    })
    const [slow, hanging] = [await lateTenants(slots, isSlow), await lateTenants(slots, timesOut)]
    expect((await takeAll(slots, hanging)) + (await takeAll(slots, slow))).toBe(30)
    expect(await answered(slots, 'honest')).not.toMatchObject({ kind: 'full' })
  })

  it('is one of those that hang for ten minutes after a receiver of it has hung', async () => {
    let passedMs = 0
    const slots = deliverySlots(limits, () => performance.now() + passedMs)
    await timesOut(slots, 'honest')
    await takeAll(slots, await lateTenants(slots, timesOut))
    expect(await answered(slots, 'honest')).toMatchObject({ kind: 'full' })
    passedMs = 600_001
    expect(await answered(slots, 'honest')).not.toMatchObject({ kind: 'full' })
  })

  it('is known by each request that any of its jobs makes', async () => {
    const [contract, endpoint] = await Promise.all([0, 1].map(() => failingOnce()))
    const event = harness.event()
    await addEndpoint(endpointDeps(harness), event, { url: String(endpoint?.url) })
    let timedCount = 0
    const counting: DeliverySlots = {
      ...deliverySlots(),
      run: async (_owner, work) => {
        await work(
          () => undefined,
          (make) => {
            timedCount += 1
            return make()
          },
        )
        return { kind: 'ended' }
      },
    }
    const deps = harness.depsFor(String(contract?.url), { slots: counting, endpointSlots: counting })
    await addEventJobs(harness, [event])
    await workOff(harness, deps, { isAttached: false })
    await harness.advance(65_000)
    await workOff(harness, deps, { isAttached: false })
    expect([contract, endpoint].map((receiver) => receiver?.received.length)).toEqual([2, 2])
    expect(timedCount).toBe(4)
  })

  function failingOnce() {
    const statuses = [500]
    return startReceiver((_message, response) => response.writeHead(statuses.shift() ?? 204).end())
  }
})
