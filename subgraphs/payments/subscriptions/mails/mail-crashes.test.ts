import { describe, expect, it } from 'vitest'
import { keptMails } from '../../fixtures/kept-mails.js'
import { crashingDeps, plansAt, runMortal, type CrashPlan } from '../../fixtures/crashing-deps.js'
import { DAY_SECONDS, startSubscriptionHarness } from '../../fixtures/subscriptions.js'
import { endSubscriptions } from '../../fixtures/rows.js'

const { sent, mails } = keptMails({ pastDueDays: 7 })
const harness = await startSubscriptionHarness({ mails })

/** In the order in which a due date comes to them, and after them an e-mail. */
const STEPS = [
  ...['subscriptions.change', 'payments.add', 'subscriptions.record', 'subscriptionMails.plan'],
  ...['subscriptionMails.take', 'payerMails.send', 'subscriptionMails.endIn'],
]

/** Works off what is due in a process that dies as planned, and then in one that does not. */
async function dieOnce(plan: CrashPlan): Promise<string | undefined> {
  const death = await runMortal(harness, crashingDeps(harness.deps, plan).deps)
  await harness.runJobs()
  return death
}

describe('a payer whose e-mails are sent by processes that die', () => {
  it.each(plansAt(...STEPS))('is asked, reminded and given up once where they die $side $atStep', async (plan) => {
    await endSubscriptions(harness)
    const { subscription } = await harness.subscribe({ charge: false })
    await harness.goOn(60)
    sent.length = 0
    const deaths: (string | undefined)[] = []
    // Months differ, and a reminder that is too near to the first e-mail is left out.
    const dueMs = Number(subscription.nextPaymentAt?.getTime()) - harness.clock.now().getTime()
    await harness.advance(Math.ceil(dueMs / 1_000) + 1)
    deaths.push(await dieOnce(plan))
    for (const days of [3, 3, 1]) {
      await harness.advance(days * DAY_SECONDS)
      deaths.push(await dieOnce(plan))
    }
    expect(deaths).toContain(`${plan.side} ${plan.atStep}`)
    // A mailbox shows those of one name once.
    const names = [...new Set(sent.map(({ messageName }) => messageName))]
    expect(names).toEqual([0, 1, 2].map((step) => `mail-subscription-${subscription.id}-1-${step}`))
    const isDoubtful = plan.atStep === 'subscriptionMails.endIn' || plan.atStep === 'payerMails.send'
    if (!isDoubtful) expect(sent.filter(({ messageName }) => messageName === names[0])).toHaveLength(1)
    expect(await harness.periodPayments(subscription)).toHaveLength(1)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due' })
    expect(await harness.eventTypes(subscription)).toEqual(['started', 'payment_registered', 'past_due'])
    const rows = await harness.query(
      'select step, outcome from payments.subscription_mail where subscription_id = $1 order by step',
      [subscription.id],
    )
    expect(rows.map(({ step, outcome }) => [step, outcome])).toEqual([0, 1, 2, 1_000].map((step) => [step, 'done']))
  })
})
