import { expect, it } from 'vitest'
import { AppError } from '../../../kernel/errors.js'
import { CARDS } from '../../../sandbox/demo/card-payer.js'
import { DAY_SECONDS, startSubscriptionHarness } from '../fixtures/subscriptions.js'
import type { PaymentAddress } from '../model/payment-address.js'
import { chargePeriod, type ChargePeriodDeps } from './charge-period.js'

const harness = await startSubscriptionHarness()
const { deps } = harness

/** A chain on which something has come to the address of every payment, and waits for its confirmations. */
function depsWithDeposit(): ChargePeriodDeps {
  const address = {
    lastReadBlock: null,
    lookAt: null,
    laidBefore: 0n,
  } as PaymentAddress
  const addresses: Pick<typeof deps.addresses, 'ofPayments' | 'read'> = {
    ofPayments: (_tenantId, ids) => Promise.resolve(ids.map(() => [address])),
    read: () => Promise.resolve({ address, deposits: [] }),
  }
  return { ...deps, addresses: { ...deps.addresses, ...addresses }, readDeposited: () => Promise.resolve(1n) }
}

it('a card on file is not charged while a deposit waits for its confirmations, and no try is lost', async () => {
  const subscription = await harness.subscriptionDue({ retryCount: 1 }, CARDS.refusedOnFile)
  const payment = await harness.lastPeriod(subscription)
  expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active', refusals: 1 })
  await harness.advance(DAY_SECONDS + 60)
  const { tenantId, id: subscriptionId } = subscription
  const job = { tenantId, subscriptionId, period: 1, attempt: 2 }
  const waiting = depsWithDeposit()
  await chargePeriod(waiting, job)
  await harness.runJobs()
  expect(harness.processorOrders(payment)).toBe(1)
  const away = { ...waiting, readDeposited: () => Promise.reject(new AppError('confirm_rpc_unavailable')) }
  await expect(chargePeriod(away, job)).rejects.toMatchObject({ code: 'provider_unavailable' })
  expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active', refusals: 1 })
  // It comes to nothing: the try is made after all.
  await harness.goOn(660)
  expect(harness.processorOrders(payment)).toBe(2)
  expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due', refusals: 2 })
})
