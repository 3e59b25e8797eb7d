import { encodeFunctionData, erc20Abi, parseUnits, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { act } from '../../../test/harness/evm.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { compareFinal, openDifferences } from '../fixtures/books.js'
import { chargedPayment, payAndProcess } from '../fixtures/pix-payments.js'
import { orderRefund, untilRefunded } from '../fixtures/refunds.js'
import type { Payment } from '../store/payment.entity.js'

/** 100 BRL. */
const PAID = '18.450185'

const harness = await startSettlementHarness({ finalityBlocks: 4 })
const { deps } = harness
const token = harness.chain.tokens['USDT']?.address as Hex
// The treasury pays nobody by itself, so that refunds find all of a payout.
await deps.pauses.pause({}, 'a test')
expect(await compareFinal(harness)).toBeNull()

const charged = (receiverWallet: string) =>
  chargedPayment(harness, { splitPaymentConfig: [{ receiverWallet, receiverPercent: 100 }] })

/** The payer pays, and is refunded before anybody was paid. */
async function refundWhole({ payment, txid }: { payment: Payment; txid: string }): Promise<void> {
  await payAndProcess(harness, txid)
  await orderRefund(harness, payment)
  await untilRefunded(harness, payment)
  expect(await deps.payouts.findAll(payment)).toMatchObject([{ state: 'cancelled', amount: '0' }])
}

/** The treasury's key pays what a payment's receiver is to get, by no payout, in a block of the product's time. */
async function payByHand(receiver: Hex): Promise<void> {
  await harness.advance(60)
  const timestamp = BigInt(Math.floor(harness.clock.now().getTime() / 1_000))
  await harness.anvil.setNextBlockTimestamp({ timestamp })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [receiver, parseUnits(PAID, 6)] })
  await act(harness, { from: harness.treasury, to: token, data })
}

/** What operators are told of the transfers to somebody. */
async function toldOf(receiver: Hex): Promise<{ kind: string; subject: string; details: string | null }[]> {
  expect(await compareFinal(harness)).toBeNull()
  const found = await openDifferences(deps)
  return found.filter(({ details }) => details?.toLowerCase().includes(receiver.toLowerCase()))
}

describe('a transfer that no payout explains', () => {
  it('is explained by a payout that was owed then and refunded since, which explains no other one, night after night', async () => {
    const receiver = harness.newReceiver()
    const one = await charged(receiver)
    await payByHand(receiver)
    await payByHand(receiver)
    await refundWhole(one)
    const told = await toldOf(receiver)
    expect(told.map(({ kind }) => kind).sort()).toEqual(['paid_twice', 'unknown_transfer'])
    const explained = told.filter(({ details }) => details?.includes(one.payment.id))
    expect(explained).toMatchObject([{ kind: 'paid_twice' }])
    const again = await toldOf(receiver)
    expect(again.filter(({ details }) => details?.includes(one.payment.id))).toMatchObject([
      { kind: 'paid_twice', subject: explained[0]?.subject },
    ])
    expect(again).toHaveLength(2)
  })

  it('is explained by no payout whose payer was refunded before', async () => {
    const receiver = harness.newReceiver()
    await refundWhole(await charged(receiver))
    await payByHand(receiver)
    expect(await toldOf(receiver)).toMatchObject([
      { kind: 'unknown_transfer', details: expect.not.stringContaining('refunded') as string },
    ])
  })

  it('is explained by no payout of a payment that was registered after', async () => {
    const receiver = harness.newReceiver()
    await payByHand(receiver)
    await harness.advance(2 * 3_600)
    await refundWhole(await charged(receiver))
    expect(await toldOf(receiver)).toMatchObject([
      { kind: 'unknown_transfer', details: expect.not.stringContaining('refunded') as string },
    ])
  })
})
