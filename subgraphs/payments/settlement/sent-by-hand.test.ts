import { expect, it } from 'vitest'
import { act } from '../../../test/harness/evm.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { chargedPayment, payAndProcess } from '../fixtures/pix-payments.js'

const harness = await startSettlementHarness()

const charged = (toCurrencySymbol: string) => {
  const splitPaymentConfig = [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
  return chargedPayment(harness, { splitPaymentConfig, toCurrencySymbol })
}

it('holds a payout in coins where coins were sent by hand, though tokens were sent by hand just before', async () => {
  const coins = await charged('POL')
  const tokens = await charged('USDT')
  await harness.emptyTreasury()
  // What was sent is looked at; there is nothing left to pay these tokens with.
  await payAndProcess(harness, tokens.txid)
  expect(await harness.deps.payouts.findAll(tokens.payment)).toMatchObject([{ state: 'waiting', waitsFor: 'funds' }])
  await act(harness, { from: harness.treasury, to: harness.newReceiver(), value: 1n, data: '0x' })
  await payAndProcess(harness, coins.txid)
  expect(await harness.deps.payouts.findAll(coins.payment)).toMatchObject([{ state: 'held' }])
  expect((await harness.deps.alerts.list()).map(({ kind, subject }) => [kind, subject])).toContainEqual([
    'payout_held',
    coins.payment.id,
  ])
})
