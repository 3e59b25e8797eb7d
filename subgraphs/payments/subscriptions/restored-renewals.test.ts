import { describe, expect, it } from 'vitest'
import { backUp } from '../fixtures/restored-database.js'
import { DAY_SECONDS, startSubscriptionHarness } from '../fixtures/subscriptions.js'
import type { Subscription } from '../store/subscription.entity.js'
import { chargePeriod } from './charge-period.js'
import { renewSubscription } from './renew-subscription.js'

/** The processor knows an order's key for a day, and its code for good. */
const harness = await startSubscriptionHarness()
const { deps } = harness

const about = ({ tenantId, id: subscriptionId }: Subscription) => ({ tenantId, subscriptionId })

/** How many orders the processor has, by whatever code. */
async function ordersInAll(): Promise<number> {
  const { orders } = (await (await fetch(`${harness.card.url}/sandbox/orders`)).json()) as { orders: unknown[] }
  return orders.length
}

describe('a subscription whose database went back to before its last renewal', () => {
  it.each([60, 25 * 3_600])(
    'has its payer charged once for the period, where it goes on %i s later',
    async (seconds) => {
      const { subscription } = await harness.subscribe()
      const restore = await backUp(harness)
      await harness.goTo(subscription.nextPaymentAt)
      const paid = await harness.lastPeriod(subscription)
      expect(paid.status).not.toBe('registered')
      const orders = await ordersInAll()
      await harness.advance(seconds)
      await restore()
      expect(await harness.periodPayments(subscription)).toEqual([])
      await renewSubscription(deps, about(subscription))
      await harness.goOn(10)
      const again = await harness.lastPeriod(subscription)
      expect(again).toMatchObject({ id: paid.id, createdAt: subscription.nextPaymentAt, status: paid.status })
      expect(await ordersInAll()).toBe(orders)
      expect(await deps.ledger.findDiscrepancies()).toEqual([])
    },
  )

  it('has its payer charged once where it goes on more than three days later, under another id', async () => {
    const { subscription } = await harness.subscribe()
    const restore = await backUp(harness)
    await harness.goTo(subscription.nextPaymentAt)
    const paid = await harness.lastPeriod(subscription)
    const orders = await ordersInAll()
    await harness.advance(4 * DAY_SECONDS)
    await restore()
    await renewSubscription(deps, about(subscription))
    await harness.goOn(10)
    const again = await harness.lastPeriod(subscription)
    expect(again.id).not.toBe(paid.id)
    expect(again.status).toBe(paid.status)
    expect((await deps.charges.find(again.tenantId, again.chargeId ?? ''))?.reference).toBe(paid.id)
    expect(await ordersInAll()).toBe(orders)
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('has its payer charged once where the payment was known and its charge was not', async () => {
    const { subscription } = await harness.subscribe()
    const dueMs = subscription.nextPaymentAt?.getTime() ?? 0
    await harness.advance(Math.ceil((dueMs - harness.clock.now().getTime()) / 1000))
    await renewSubscription(deps, about(subscription))
    const restore = await backUp(harness)
    await harness.goOn(10)
    const paid = await harness.lastPeriod(subscription)
    const orders = await ordersInAll()
    await harness.advance(DAY_SECONDS + 3_600)
    await restore()
    expect(await harness.lastPeriod(subscription)).toMatchObject({ id: paid.id, status: 'registered' })
    await chargePeriod(deps, { ...about(subscription), period: 1, attempt: 1 })
    expect(await harness.lastPeriod(subscription)).toMatchObject({ status: paid.status })
    expect(await ordersInAll()).toBe(orders)
  })

  it('takes the attempts of before for what they came to, also where the card was refused first', async () => {
    const subscribed = await harness.subscribe({ retryCount: 2 })
    const { subscription } = subscribed
    const restore = await backUp(harness)
    await harness.goRefused(subscribed)
    await harness.goTo((await harness.subscriptionNow(subscription)).nextAttemptAt)
    const paid = await harness.lastPeriod(subscription)
    expect(harness.processorOrders(paid)).toBe(2)
    const orders = await ordersInAll()
    await restore()
    await renewSubscription(deps, about(subscription))
    await harness.goOn(10)
    expect(await harness.lastPeriod(subscription)).toMatchObject({ id: paid.id, status: paid.status })
    expect(await ordersInAll()).toBe(orders)
  })

  /** The processor is down at the due date, and the attempt of an hour later is the first that reaches it. */
  async function paidAfterOutage() {
    const { subscription } = await harness.subscribe({ retryCount: 2 })
    const before = await backUp(harness)
    await harness.cardControl('/faults', { mode: 'down' })
    await harness.goTo(subscription.nextPaymentAt)
    for (let i = 0; i < 3; i += 1) await harness.goOn(20)
    await harness.cardControl('/faults', { mode: 'ok' })
    await harness.goOn(60)
    const { nextAttemptAt } = await harness.subscriptionNow(subscription)
    return { subscription, before, nextAttemptAt }
  }

  it('has its payer charged once where the first attempt had never reached the processor', async () => {
    const { subscription, before, nextAttemptAt } = await paidAfterOutage()
    await harness.goTo(nextAttemptAt)
    await harness.goOn(10)
    const paid = await harness.lastPeriod(subscription)
    const orders = await ordersInAll()
    await before()
    await renewSubscription(deps, about(subscription))
    await harness.goOn(10)
    const again = await harness.lastPeriod(subscription)
    expect(again).toMatchObject({ id: paid.id, status: paid.status })
    expect((await deps.charges.find(again.tenantId, again.chargeId ?? ''))?.reference).toBe(`${paid.id}-2`)
    expect(await ordersInAll()).toBe(orders)
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })
})

describe('a renewal that comes long after its due date', () => {
  it('is registered as of now: its payer has the link for a week', async () => {
    const { subscription } = await harness.subscribe({ interval: 'yearly', charge: false })
    const due = subscription.nextPaymentAt ?? new Date(0)
    await harness.advance(Math.ceil((due.getTime() - harness.clock.now().getTime()) / 1000) + 30 * DAY_SECONDS)
    await renewSubscription(deps, about(subscription))
    const { createdAt } = await harness.lastPeriod(subscription)
    expect(createdAt.getTime()).toBeGreaterThan(due.getTime() + 29 * DAY_SECONDS * 1000)
  })
})
