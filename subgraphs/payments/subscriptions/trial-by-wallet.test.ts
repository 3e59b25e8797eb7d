import { expect, it } from 'vitest'
import { completeMethods } from '../../../terms/methods.js'
import { RECEIVERS } from '../../../test/harness/chains.js'
import { startEvmHarness } from '../../../test/harness/evm.js'
import { createTransaction } from '../domain/create-transaction.js'
import { cryptoInput } from '../fixtures/crypto-payments.js'
import { keptMails } from '../fixtures/kept-mails.js'
import { DAY_SECONDS, startSubscriptionHarness } from '../fixtures/subscriptions.js'
import { startTrial } from './start-trial.js'

const { chain, payer } = await startEvmHarness()
const { sent, mails } = keptMails({ pastDueDays: 0 })
const harness = await startSubscriptionHarness({ chain, mails })
const { deps, tenant } = harness

it('a trial’s payer is still asked by e-mail after a wallet that says no address was asked to pay', async () => {
  const payerEmail = 'ana@example.com'
  const orderCode = harness.subscriptionOrder(
    { charge: false },
    {
      paymentMethodAllowed: completeMethods({ crypto: true }),
      splitPaymentConfig: [{ receiverWallet: RECEIVERS[0], receiverPercent: 100 }],
    },
  )
  const subscription = await startTrial(deps, tenant, { orderCode, payerEmail, trialDays: 7 })
  await harness.goTo(subscription.trialEndsAt)
  expect(sent.map(({ to }) => to)).toEqual([payerEmail])
  const payment = await harness.lastPeriod(subscription)
  const started = await createTransaction(deps, tenant, cryptoInput(payment, payer.address, { payerEmail: null }))
  expect(started).toMatchObject({ status: 'pending', payerWallet: payer.address, payerEmail })
  await harness.goOn(4 * DAY_SECONDS)
  expect(sent.map(({ to }) => to)).toEqual([payerEmail, payerEmail])
  // Who says another address is asked there.
  const changed = await createTransaction(
    deps,
    tenant,
    cryptoInput(payment, payer.address, { payerEmail: 'bia@example.com' }),
  )
  expect(changed).toMatchObject({ payerEmail: 'bia@example.com' })
})
