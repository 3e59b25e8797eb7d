import { describe, expect, it } from 'vitest'
import { chargedPayment, payAndProcess, presentOf, untilEnded } from '../fixtures/pix-payments.js'
import { transactionsOf } from '../fixtures/rows.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import type { Payment } from '../store/payment.entity.js'

const CONFIRMATIONS = 12

const harness = await startSettlementHarness({ confirmations: CONFIRMATIONS })

const versionsOf = async (payment: Payment) => (await transactionsOf(harness, payment)).map(({ version }) => version)
const charged = () =>
  chargedPayment(harness, { splitPaymentConfig: [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }] })

describe('a payout on a chain whose confirmations take minutes', () => {
  it('is left alone once it is in a block, and alarms nobody', async () => {
    const { payment, txid } = await charged()
    await payAndProcess(harness, txid)
    for (let minute = 0; minute < 3; minute += 1) await harness.goOn(61)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    expect(await versionsOf(payment)).toEqual([0])
    expect(await harness.deps.alerts.list()).toEqual([])
    await harness.anvil.mine({ blocks: CONFIRMATIONS })
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
  })

  it('does not keep one behind it from higher fees, nor does one whose nonce somebody else has used', async () => {
    const odd = await charged()
    await harness.anvil.setAutomine(false)
    await payAndProcess(harness, odd.txid)
    // Somebody with the treasury's key sends another transaction with the nonce of the first.
    const [{ hash } = {}] = await transactionsOf(harness, odd.payment)
    await harness.anvil.dropTransaction({ hash: hash as `0x${string}` })
    await harness.anvil.sendUnsignedTransaction({ from: harness.treasury, to: harness.newReceiver(), value: 1n })
    await harness.anvil.mine({ blocks: CONFIRMATIONS })
    const slow = await charged()
    await payAndProcess(harness, slow.txid)
    await harness.goOn(61)
    expect(await versionsOf(odd.payment)).toEqual([0])
    expect(await versionsOf(slow.payment)).toEqual([0, 1])
    await harness.anvil.setAutomine(true)
    await harness.anvil.mine({ blocks: CONFIRMATIONS + 1 })
    expect(await untilEnded(harness, slow.payment)).toMatchObject({ status: 'success' })
    expect((await harness.deps.alerts.list()).map(({ details }) => details).join()).toContain(
      'lost its nonce to another transaction',
    )
  })
})
