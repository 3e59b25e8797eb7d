import { hexToNumber, numberToHex, type Hex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { wholePool } from '../../../test/harness/evm-node-pool.js'
import { chargedPayment, payAndProcess, presentOf, untilEnded } from '../fixtures/pix-payments.js'
import { transactionsOf } from '../fixtures/rows.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { checkChains } from './check-chains.js'

const FINALITY_BLOCKS = 6

const harness = await startSettlementHarness({ finalityBlocks: FINALITY_BLOCKS })
afterEach(() => Object.assign(harness.pool, wholePool()))

const charged = () =>
  chargedPayment(harness, { splitPaymentConfig: [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }] })

describe('a payout before two nodes behind one address', () => {
  it('alarms nobody where one node counts its nonce as used and another does not show it yet', async () => {
    const { payment, txid } = await charged()
    harness.pool.lagBlocks = 2
    harness.pool.isBehind = ([method]) => method === 'eth_getTransactionReceipt'
    await payAndProcess(harness, txid)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    Object.assign(harness.pool, wholePool())
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    expect(await harness.deps.alerts.list()).toEqual([])
  })

  it('has an operator look at the settings where no node shows a contract at its token, and is paid once one does', async () => {
    const { payment, txid } = await charged()
    harness.pool.change = (method, result) => (method === 'eth_call' ? '0x' : result)
    await payAndProcess(harness, txid)
    const token = harness.chain.tokens['USDT']?.address.toLowerCase() ?? ''
    const details = `no code at ${token}, or the node is behind`
    expect(await harness.deps.alerts.list()).toMatchObject([{ kind: 'chain_mismatch', subject: 'polygon', details }])
    Object.assign(harness.pool, wholePool())
    await harness.goOn(10)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    // Which the daily comparison sees.
    await checkChains(harness.deps)
    expect(await harness.deps.alerts.list()).toEqual([])
  })

  it('is not signed anew after it landed and moved nothing, while its block may be dropped', async () => {
    const { payment, txid } = await charged()
    await harness.anvil.setAutomine(false)
    await payAndProcess(harness, txid)
    const held = await harness.setTreasuryUnits(0n)
    await harness.anvil.mine({ blocks: 1 })
    await harness.setTreasuryUnits(held)
    await harness.anvil.setAutomine(true)
    await harness.goOn(1)
    await harness.goOn(120)
    // On another branch it would pay.
    await harness.anvil.request({ method: 'anvil_reorg', params: [1, []] } as never)
    await harness.setTreasuryUnits(held)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    const attempts = (await transactionsOf(harness, payment)).map(({ attempt }) => attempt)
    expect(new Set(attempts)).toEqual(new Set([1]))
    const [receiver] = payment.splitPaymentConfig
    expect(await harness.balanceOf(receiver?.receiverWallet as Hex)).toBe(18_450_185n)
  })

  it.each([1, 2, 3, 4, 5, 6])(
    'leaves no gap of nonces where one answer, the %ith, counts transactions that there are not',
    async (wrong) => {
      const { payment, txid } = await charged()
      let answers = 0
      harness.pool.change = (method, result) => {
        if (method !== 'eth_getTransactionCount') return result
        answers += 1
        return answers === wrong ? numberToHex(hexToNumber(result as Hex) + 4) : result
      }
      await payAndProcess(harness, txid)
      expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
      const [row] = await harness.query('select max(nonce) + 1 as next from payments.treasury_transaction')
      expect(row).toEqual({ next: await harness.transactionCount() })
    },
  )
})
