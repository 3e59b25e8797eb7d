import { expect, it, onTestFinished } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { chargedPayment, payAndProcess, presentOf, startPix } from '../../fixtures/pix-payments.js'
import type { Payment } from '../../store/payment.entity.js'

const harness = await startPaymentsHarness()

/** Makes the payment's receiver an account of the deployment, as where an operator gives the treasury one more. */
function takeOver({ toChain, splitPaymentConfig }: Payment): void {
  const chain = harness.deps.settings.chains.find(({ name }) => name === toChain)
  if (!chain) throw new Error('no such chain')
  chain.ownAccounts = splitPaymentConfig.map(({ receiverWallet }) => receiverWallet)
  onTestFinished(() => {
    chain.ownAccounts = []
  })
}

it('a charge that was handed out before its receiver became an account of ours is booked, and its payout is owed', async () => {
  const { payment, txid } = await chargedPayment(harness)
  takeOver(payment)
  await payAndProcess(harness, txid)
  expect(await harness.deps.payouts.findAll(payment)).toMatchObject([{ amount: '18.450185' }])
  expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
})

it('no charge is made for a receiver that is one', async () => {
  const payment = await checkoutPayment(harness)
  takeOver(payment)
  await expect(startPix(harness, payment)).rejects.toMatchObject({ code: 'validation_error' })
  expect((await presentOf(harness, payment)).chargeId).toBeNull()
})
