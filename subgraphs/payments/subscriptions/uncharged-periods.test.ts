import { beforeEach, expect, it } from 'vitest'
import { ProviderError } from '../../../kernel/provider-error.js'
import { CARDS } from '../../../sandbox/demo/card-payer.js'
import { keptMails } from '../fixtures/kept-mails.js'
import { endSubscriptions } from '../fixtures/rows.js'
import { runLedger } from '../fixtures/run-ledger.js'
import { startSubscriptionHarness } from '../fixtures/subscriptions.js'
import { chargePeriod } from './charge-period.js'
import { renewSubscription } from './renew-subscription.js'

const HOUR_SECONDS = 3_600
const UNCHARGED = 'Não foi possível cobrar o seu cartão: assinatura Gold'
const REFUSED = 'O seu cartão foi recusado: assinatura Gold'

const { sent, mails } = keptMails({ pastDueDays: 0 })
const harness = await startSubscriptionHarness({ mails })
const { deps } = harness

beforeEach(async () => {
  await endSubscriptions(harness)
  sent.length = 0
})

/** What works where the card processor limits our rate, for as long as it takes. */
function limitedDeps(): typeof deps {
  const limit = () =>
    Promise.reject(new ProviderError({ provider: 'card', kind: 'rate_limited', retryable: true, message: 'too many' }))
  const rails = deps.rails.map((rail) =>
    'adapter' in rail ? { ...rail, adapter: { ...rail.adapter, create: limit } } : rail,
  )
  return { ...deps, rails } as typeof deps
}

it('a card processor that limits our rate for days refuses no card, and nobody is told so', async () => {
  const { subscription } = await harness.subscribe({ retryCount: 1 })
  const { tenantId, id: subscriptionId, nextPaymentAt } = subscription
  await harness.advance(Math.ceil(((nextPaymentAt?.getTime() ?? 0) - harness.clock.now().getTime()) / 1000) + 1)
  await renewSubscription(deps, { tenantId, subscriptionId })
  const waits: number[] = []
  for (let attempt = 1; attempt <= 26; attempt += 1) {
    await chargePeriod(limitedDeps(), { tenantId, subscriptionId, period: 1, attempt })
    const { nextAttemptAt, updatedAt } = await harness.subscriptionNow(subscription)
    if (nextAttemptAt) waits.push(Math.round((nextAttemptAt.getTime() - updatedAt.getTime()) / 3_600_000))
    await harness.advance(HOUR_SECONDS)
  }
  expect(waits).toEqual([...Array.from({ length: 24 }, () => 1), 24])
  expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due', refusals: 0 })
  const payment = await harness.lastPeriod(subscription)
  expect(payment).toMatchObject({ status: 'error', dataError: { code: 'provider_unavailable' } })
  await harness.runJobs()
  expect(sent.map(({ subject }) => subject)).toEqual([UNCHARGED])
  expect(harness.processorOrders(payment)).toBe(0)
})

it('a card that nobody asks, since a limit of the tenant refuses the period, is not called refused', async () => {
  const { subscription } = await harness.subscribe({ retryCount: 0 })
  const args = ['limits', '--tenant', harness.tenant.id, '--currency', 'BRL']
  expect(await runLedger(harness, ...args, '--per-payment', '50')).toBe(0)
  await harness.goTo(subscription.nextPaymentAt)
  await harness.runJobs()
  expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due' })
  expect(sent.map(({ subject }) => subject)).toEqual([UNCHARGED])
  expect(await runLedger(harness, ...args)).toBe(0)
})

it('a card that its issuer refuses is called refused, though the processor was not reached before', async () => {
  const { subscription } = await harness.subscribe({ retryCount: 0 }, CARDS.refusedOnFile)
  await harness.cardControl('/faults', { mode: 'error' })
  await harness.goTo(subscription.nextPaymentAt)
  await harness.cardControl('/faults', { mode: 'ok' })
  await harness.goOn(60)
  expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active', refusals: 0 })
  await harness.goTo((await harness.subscriptionNow(subscription)).nextAttemptAt)
  await harness.runJobs()
  expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due', refusals: 1 })
  expect(sent.map(({ subject }) => subject)).toEqual([REFUSED])
})
