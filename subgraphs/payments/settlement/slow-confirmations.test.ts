import { describe, expect, it } from 'vitest'
import { chargedPayment, payAndProcess, presentOf, untilEnded } from '../fixtures/pix-payments.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'

const CONFIRMATIONS = 12

const world = await startSettlementHarness({ confirmations: CONFIRMATIONS })

const versionsOf = (paymentId: string) =>
  world.query('select version from payments.treasury_transaction where payment_id = $1 order by version', [paymentId])
const charged = () =>
  chargedPayment(world, { splitPaymentConfig: [{ receiverWallet: world.newReceiver(), receiverPercent: 100 }] })

describe('a payout on a chain whose confirmations take minutes', () => {
  it('is left alone once it is in a block, and alarms nobody', async () => {
    const { payment, txid } = await charged()
    await payAndProcess(world, txid)
    for (let minute = 0; minute < 3; minute += 1) {
      await world.advance(61)
      await world.runJobs()
    }
    expect(await presentOf(world, payment)).toMatchObject({ status: 'pending' })
    expect(await versionsOf(payment.id)).toEqual([{ version: 0 }])
    expect(await world.deps.alerts.list()).toEqual([])
    await world.anvil.mine({ blocks: CONFIRMATIONS })
    expect(await untilEnded(world, payment)).toMatchObject({ status: 'success' })
  })

  it('does not keep one behind it from higher fees, nor does one whose nonce somebody else has used', async () => {
    const odd = await charged()
    await world.anvil.setAutomine(false)
    await payAndProcess(world, odd.txid)
    // Somebody with the treasury's key sends another transaction with the nonce of the first.
    const [{ hash } = {}] = await world.query('select hash from payments.treasury_transaction where payment_id = $1', [
      odd.payment.id,
    ])
    await world.anvil.dropTransaction({ hash: hash as `0x${string}` })
    await world.anvil.sendUnsignedTransaction({ from: world.treasury, to: world.newReceiver(), value: 1n })
    await world.anvil.mine({ blocks: CONFIRMATIONS })
    const slow = await charged()
    await payAndProcess(world, slow.txid)
    await world.advance(61)
    await world.runJobs()
    expect(await versionsOf(odd.payment.id)).toEqual([{ version: 0 }])
    expect(await versionsOf(slow.payment.id)).toEqual([{ version: 0 }, { version: 1 }])
    await world.anvil.setAutomine(true)
    await world.anvil.mine({ blocks: CONFIRMATIONS + 1 })
    expect(await untilEnded(world, slow.payment)).toMatchObject({ status: 'success' })
    expect((await world.deps.alerts.list()).map(({ details }) => details)).toContain(
      'another transaction took its nonce',
    )
  })
})
