import { encodeAbiParameters, keccak256, type Hex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { wholePool } from '../../../test/harness/evm-node-pool.js'
import { chargedPayment, payAndProcess, presentOf, untilEnded } from '../fixtures/pix-payments.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'

const FINALITY_BLOCKS = 6

const world = await startSettlementHarness({ finalityBlocks: FINALITY_BLOCKS })
afterEach(() => Object.assign(world.pool, wholePool()))

const attemptsOf = (paymentId: string) =>
  world.query('select distinct attempt from payments.treasury_transaction where payment_id = $1', [paymentId])
const charged = () =>
  chargedPayment(world, { splitPaymentConfig: [{ receiverWallet: world.newReceiver(), receiverPercent: 100 }] })

describe('a payout before two nodes behind one address', () => {
  it('alarms nobody where one node counts its nonce as used and another does not show it yet', async () => {
    const { payment, txid } = await charged()
    world.pool.lagBlocks = 2
    world.pool.isBehind = ([method]) => method === 'eth_getTransactionReceipt'
    await payAndProcess(world, txid)
    expect(await presentOf(world, payment)).toMatchObject({ status: 'pending' })
    Object.assign(world.pool, wholePool())
    expect(await untilEnded(world, payment)).toMatchObject({ status: 'success' })
    expect(await world.deps.alerts.list()).toEqual([])
  })

  it('is not signed anew after it landed and moved nothing, while its block may be dropped', async () => {
    const { payment, txid } = await charged()
    await world.anvil.setAutomine(false)
    await payAndProcess(world, txid)
    const slot = balanceSlot()
    const held = await world.anvil.getStorageAt({ address: slot.address, slot: slot.index })
    await world.anvil.setStorageAt({ ...slot, value: `0x${'0'.repeat(64)}` })
    await world.anvil.mine({ blocks: 1 })
    await world.anvil.setStorageAt({ ...slot, value: held ?? '0x' })
    await world.anvil.setAutomine(true)
    await world.advance(1)
    await world.runJobs()
    await world.advance(120)
    await world.runJobs()
    // On another branch it would pay.
    await world.anvil.request({ method: 'anvil_reorg', params: [1, []] } as never)
    await world.anvil.setStorageAt({ ...slot, value: held ?? '0x' })
    expect(await untilEnded(world, payment)).toMatchObject({ status: 'success' })
    expect(await attemptsOf(payment.id)).toEqual([{ attempt: 1 }])
    const [receiver] = payment.splitPaymentConfig
    expect(await world.balanceOf(receiver?.receiverWallet as Hex)).toBe(18_450_185n)
  })

  /** Where the token keeps the treasury's balance: the mapping at slot 0 (OpenZeppelin ERC20). */
  function balanceSlot(): { address: Hex; index: Hex } {
    const index = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [world.treasury, 0n]))
    return { address: world.chain.tokens['USDT']?.address ?? '0x', index }
  }
})
