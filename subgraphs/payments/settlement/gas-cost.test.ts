import { parseEther, parseGwei, toHex, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { AppError } from '../../../kernel/errors.js'
import { chargedPayment, payAndProcess, presentOf, untilEnded } from '../fixtures/pix-payments.js'
import { transactionsOf } from '../fixtures/rows.js'

const ORACLE = '0x420000000000000000000000000000000000000F'

const harness = await startSettlementHarness({ chainSettings: { gasPriceMaxGwei: '10', rollup: 'op-stack' } })

/** The price that the oracle tells for publishing any transaction, in wei. */
const setL1Fee = (wei: bigint) => {
  const bytecode: Hex = `0x7f${toHex(wei, { size: 32 }).slice(2)}60005260206000f3`
  return harness.anvil.setCode({ address: ORACLE, bytecode })
}
const setBaseFee = async (gwei: string) => {
  await harness.anvil.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei(gwei) })
  await harness.anvil.mine({ blocks: 1 })
}
const charged = async () => {
  const receiverWallet = harness.newReceiver()
  const { payment, txid } = await chargedPayment(harness, {
    splitPaymentConfig: [{ receiverWallet, receiverPercent: 100 }],
  })
  await payAndProcess(harness, txid)
  return payment
}

describe('a payout on a chain where gas is dear', { timeout: 60_000 }, () => {
  it('waits while gas costs more than the cap, and offers no more than it', async () => {
    await setL1Fee(1n)
    await setBaseFee('100')
    const before = await harness.transactionCount()
    const payment = await charged()
    await harness.goOn(6)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    expect(await harness.transactionCount()).toBe(before)
    await setBaseFee('7')
    await harness.goOn(6)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    const { tidHash } = await presentOf(harness, payment)
    const { maxFeePerGas } = await harness.anvil.getTransaction({ hash: tidHash as Hex })
    expect(maxFeePerGas).toBe(parseGwei('10'))
  })

  it('is written down once it has landed, though nothing can be signed any more', async () => {
    await setBaseFee('7')
    await harness.anvil.setAutomine(false)
    const landed = await charged()
    await setBaseFee('7')
    await setBaseFee('100')
    const waiting = await charged()
    await harness.anvil.setAutomine(true)
    expect(await presentOf(harness, landed)).toMatchObject({ status: 'success' })
    expect(await presentOf(harness, waiting)).toMatchObject({ status: 'pending' })
    await setBaseFee('7')
    await harness.goOn(6)
    expect(await untilEnded(harness, waiting)).toMatchObject({ status: 'success' })
  })

  it('is written down once it has landed, though the next one is stuck and nobody can sign it anew', async () => {
    await setBaseFee('7')
    await harness.anvil.setAutomine(false)
    const landed = await charged()
    const stuck = await charged()
    const [{ hash } = {}] = await transactionsOf(harness, stuck)
    await harness.anvil.dropTransaction({ hash: hash as Hex })
    await setBaseFee('7')
    const [treasury] = harness.deps.payoutChains.evm ?? []
    if (!treasury) throw new Error('there is no treasury')
    const { nonces } = treasury
    const { raiseFees } = nonces
    nonces.raiseFees = () => Promise.reject(new AppError('provider_unavailable'))
    await harness.goOn(61)
    expect(await presentOf(harness, landed)).toMatchObject({ status: 'success' })
    expect(await presentOf(harness, stuck)).toMatchObject({ status: 'pending' })
    nonces.raiseFees = raiseFees
    await harness.anvil.setAutomine(true)
    await harness.goOn(6)
    expect(await untilEnded(harness, stuck)).toMatchObject({ status: 'success' })
  })

  it('waits for funds that cover its publication on Ethereum too', async () => {
    await setL1Fee(parseEther('1000000'))
    const payment = await charged()
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    expect((await harness.deps.alerts.list()).map(({ kind }) => kind)).toContain('treasury_shortage')
    await setL1Fee(1n)
    await harness.goOn(20)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
  })
})
