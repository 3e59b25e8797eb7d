import { describe, expect, it } from 'vitest'
import type { Clock } from '../../kernel/clock.js'
import { runDueJobs } from '../../test/harness/job-runner.js'
import { paymentsContext } from './context.js'
import { EXPIRY_GRACE_MS } from './domain/charges/terminal-status.js'
import { keptMails } from './fixtures/kept-mails.js'
import { chargedPayment, chargeOf, presentOf } from './fixtures/pix-payments.js'
import { startSubscriptionHarness } from './fixtures/subscriptions.js'
import { paymentJobs } from './jobs.js'

const BEHIND_SECONDS = 120
const { sent, mails } = keptMails({ pastDueDays: 0 })
const harness = await startSubscriptionHarness({ mails })
await harness.pixControl('/callbacks', { mode: 'drop' })

/** The clock of a process, by which what is due by all others is still to come. */
const clock: Clock = {
  ...harness.clock,
  now: () => new Date(harness.clock.now().getTime() - BEHIND_SECONDS * 1_000),
}
const kinds = paymentJobs(
  paymentsContext(harness.db, { ...harness.options, clock })({
    requestId: 'behind',
    caller: { tenantId: harness.tenant.id, keyId: 'key', products: harness.tenant.products },
  }),
)

/** Moves the time of all to a little after a moment. */
async function passTo(moment: Date | string | null | undefined): Promise<void> {
  if (moment == null) throw new Error('no moment is planned')
  await harness.advance(Math.ceil((new Date(moment).getTime() - harness.clock.now().getTime()) / 1_000) + 5)
}

/** Works off, in that process, what is due; gives how often a kind of job came. */
async function runBehind(name: string): Promise<number> {
  const { ran } = await runDueJobs(harness.db.pool, kinds, { limit: 20 })
  return ran.filter((one) => one === name).length
}

describe('a process whose clock is behind', () => {
  it('asks once for a charge that has expired by the clocks of the others, and again when it has by its own', async () => {
    const { payment } = await chargedPayment(harness)
    const { expiresAt } = await chargeOf(harness, payment)
    await harness.runJobs()
    await passTo(new Date(expiresAt.getTime() + EXPIRY_GRACE_MS))
    expect(await runBehind('watch-charge')).toBe(1)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    await harness.advance(BEHIND_SECONDS)
    expect(await runBehind('watch-charge')).toBe(1)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', dataError: { code: 'charge_expired' } })
  })

  it('looks once at a due date and at an e-mail that are due by the clocks of the others, and does both later', async () => {
    const { subscription } = await harness.subscribe({ charge: false })
    await passTo(subscription.nextPaymentAt)
    expect(await runBehind('renew-subscription')).toBe(1)
    expect(await harness.periodPayments(subscription)).toEqual([])
    await harness.goOn(BEHIND_SECONDS)
    expect(await harness.periodPayments(subscription)).toHaveLength(1)
    sent.length = 0
    const step = { tenantId: harness.tenant.id, subscriptionId: subscription.id, period: 1, step: 1 }
    await passTo((await harness.deps.subscriptionMails.find(step))?.plannedAt)
    expect(await runBehind('mail-subscription')).toBe(1)
    expect(sent).toEqual([])
    await harness.advance(BEHIND_SECONDS)
    expect(await runBehind('mail-subscription')).toBe(1)
    expect(sent).toHaveLength(1)
  })
})
