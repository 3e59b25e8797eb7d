import { expect, it } from 'vitest'
import { privateKeyToAccount } from 'viem/accounts'
import { minedReceipt } from '../../../sandbox/anvil/mined-receipt.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { completeMethods } from '../../../terms/methods.js'
import { createTransaction } from '../domain/create-transaction.js'
import { cryptoInput, signPayment } from '../fixtures/crypto-payments.js'
import { DAY_SECONDS, subscriptionActs, subscriptionReads } from '../fixtures/subscriptions.js'

const settlement = await startSettlementHarness()
const harness = { ...settlement, ...subscriptionActs(settlement), ...subscriptionReads(settlement) }
const payer = privateKeyToAccount(settlement.treasuryKey)

/** A period whose card was refused once, and whose payer has looked at paying it by his wallet since. */
async function lookedAtByWallet() {
  const receiver = { receiverWallet: harness.newReceiver(), recipientId: 'rp_shop0001', liable: true }
  const subscribed = await harness.subscribe({ retryCount: 1 }, undefined, {
    paymentMethodAllowed: completeMethods({ cardfiat: true, crypto: true }),
    splitPaymentConfig: [{ ...receiver, receiverPercent: 100 }],
  })
  const { subscription } = subscribed
  await harness.goRefused(subscribed)
  const unpaid = await harness.lastPeriod(subscription)
  const asked = await createTransaction(harness.deps, harness.tenant, cryptoInput(unpaid, payer.address))
  expect(asked).toMatchObject({ status: 'pending', transactionType: 'crypto' })
  return { subscription, asked }
}

async function days(count: number): Promise<void> {
  for (let hour = 0; hour < count * 2; hour += 1) await harness.goOn(DAY_SECONDS / 2)
}

it('a wallet that was only looked at costs a period three days, and not its card', async () => {
  const { subscription, asked } = await lookedAtByWallet()
  await days(2)
  expect(await harness.lastPeriod(subscription)).toMatchObject({ status: 'pending', transactionType: 'crypto' })
  expect(harness.processorOrders(asked)).toBe(1)
  await days(2)
  expect(await harness.lastPeriod(subscription)).toMatchObject({ status: 'success', transactionType: 'cardfiat' })
  expect(harness.processorOrders(asked)).toBe(2)
  expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active', refusals: 1 })
})

it('a card is not charged where the wallet has sent its transaction, though nobody has handed it in', async () => {
  const { subscription, asked } = await lookedAtByWallet()
  const raw = await signPayment(payer, asked)
  // Nobody looks at the chain meanwhile.
  await harness.query(`delete from graphile_worker._private_jobs where key like 'watch-built%'`)
  await minedReceipt(harness.anvil, await harness.anvil.sendRawTransaction({ serializedTransaction: raw }))
  await days(4)
  expect(harness.processorOrders(asked)).toBe(1)
  expect(await harness.lastPeriod(subscription)).toMatchObject({ transactionType: 'crypto' })
})
