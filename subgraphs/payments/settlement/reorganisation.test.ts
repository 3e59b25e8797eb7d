import { describe, expect, it } from 'vitest'
import type { Hex } from 'viem'
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { chargedPayment, paidPayment, payAndProcess, presentOf, untilEnded } from '../fixtures/pix-payments.js'
import { bookedFees, transactionsOf } from '../fixtures/rows.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import type { Payment } from '../store/payment.entity.js'
import { correctFee } from './confirm-batch.js'

const FINALITY_BLOCKS = 20
/** 100 BRL. */
const PAID = 18_450_185n

const harness = await startSettlementHarness({ finalityBlocks: FINALITY_BLOCKS })

/** Payouts that were told as paid, each in a block of its own, and the receivers. */
async function paidOut(count: number): Promise<{ payments: Payment[]; receivers: Hex[] }> {
  const receivers = Array.from({ length: count }, () => harness.newReceiver())
  const payments: Payment[] = []
  for (const receiverWallet of receivers) {
    const { payment, txid } = await chargedPayment(harness, {
      splitPaymentConfig: [{ receiverWallet, receiverPercent: 100 }],
    })
    await payAndProcess(harness, txid)
    payments.push(payment)
  }
  for (const payment of payments) expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
  return { payments, receivers }
}

/** Drops the newest blocks; others take their place, with what is given. */
const reorganise = (depth: number, transactions: readonly [Hex, number][] = []) =>
  harness.anvil.request({ method: 'anvil_reorg', params: [depth, transactions] } as never)
const balances = (receivers: readonly Hex[]) => Promise.all(receivers.map((receiver) => harness.balanceOf(receiver)))
const attemptsOf = (payment: Payment) => transactionsOf(harness, payment)
const blocksSince = async (payment: Payment) => {
  const [attempt] = await attemptsOf(payment)
  const { blockNumber } = await harness.anvil.getTransactionReceipt({ hash: attempt?.['hash'] as Hex })
  return Number((await harness.anvil.getBlockNumber()) - blockNumber + 1n)
}

/** In wei, as the ledger has it; corrections are counted. */
const bookedFeeOf = (payment: Payment) => bookedFees(harness, [payment])

/** In wei, as the block has it that holds the transaction now. */
async function feeOnChainOf(payment: Payment): Promise<string> {
  const [attempt] = await attemptsOf(payment)
  const receipt = await harness.anvil.getTransactionReceipt({ hash: attempt?.['hash'] as Hex })
  return String(receipt.gasUsed * receipt.effectiveGasPrice)
}

describe('a payout that was told as paid, on a chain that drops its newest blocks', () => {
  it('is sent again in the same bytes, with all that was behind it, and pays once', async () => {
    const { payments, receivers } = await paidOut(3)
    const before = await Promise.all(payments.map(attemptsOf))
    await reorganise(await blocksSince(payments[0] as Payment))
    expect(await balances(receivers)).toEqual([0n, 0n, 0n])
    // On the other branch gas has another price.
    await harness.anvil.setNextBlockBaseFeePerGas({ baseFeePerGas: 777_777_777n })
    await harness.goOn(6)
    await harness.anvil.mine({ blocks: 1 })
    expect(await balances(receivers)).toEqual([PAID, PAID, PAID])
    const hashes = (rows: Record<string, unknown>[][]) => rows.flat().map(({ hash, nonce }) => ({ hash, nonce }))
    expect(hashes(await Promise.all(payments.map(attemptsOf)))).toEqual(hashes(before))
    // Followed to the end, and not longer.
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
    await harness.goOn(6)
    await harness.goOn(6)
    for (const payment of payments) {
      expect(await attemptsOf(payment)).toMatchObject([{ state: 'confirmed', check_at: null }])
      expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
      expect(await bookedFeeOf(payment)).toBe(await feeOnChainOf(payment))
    }
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('has its fee corrected as often as its block changes, also where the chain comes back to one', async () => {
    const { payments } = await paidOut(1)
    const [payment] = payments as [Payment]
    const account = { chainName: harness.chain.name, account: privateKeyToAddress(harness.treasuryKey) }
    const landed = await harness.deps.landed.findUpTo(account, Number(await harness.anvil.getBlockNumber()), 1_000)
    const [signed] = await harness.deps.payouts.withLegs(landed)
    if (signed?.legs[0]?.leg.paymentId !== payment.id) throw new Error('another payout is followed')
    const { hash } = signed.transaction
    for (const amount of ['0.002', '0.001', '0.002', '0.001']) {
      const fee = { amount, currency: harness.chain.nativeCoin.symbol, decimals: 18 }
      await correctFee(harness.deps, [hash], { signed, fee })
      await correctFee(harness.deps, ['0xanother version', hash], { signed, fee })
      expect(Number(await bookedFeeOf(payment))).toBe(Number(amount) * 1e18)
    }
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('takes up what was signed since, whose nonce is behind the missing one', async () => {
    const { payments, receivers } = await paidOut(1)
    await reorganise(await blocksSince(payments[0] as Payment))
    const receiverWallet = harness.newReceiver()
    await paidPayment(harness, { splitPaymentConfig: [{ receiverWallet, receiverPercent: 100 }] })
    await harness.goOn(6)
    await harness.anvil.mine({ blocks: 1 })
    expect(await balances([...receivers, receiverWallet])).toEqual([PAID, PAID])
  })

  it('is told to an operator where another transaction took its nonce, and nothing is signed anew', async () => {
    const { payments, receivers } = await paidOut(1)
    const [payment] = payments as [Payment]
    const [{ nonce } = {}] = await attemptsOf(payment)
    const foreign = await privateKeyToAccount(harness.treasuryKey).signTransaction({
      type: 'eip1559',
      chainId: harness.chain.chainId,
      nonce: Number(nonce),
      to: harness.newReceiver(),
      value: 1n,
      gas: 21_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 1n,
    })
    await reorganise(await blocksSince(payment), [[foreign, 0]])
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
    await harness.goOn(6)
    await harness.goOn(6)
    expect(await balances(receivers)).toEqual([0n])
    expect(await attemptsOf(payment)).toMatchObject([{ state: 'confirmed', check_at: null }])
    expect(await harness.deps.alerts.list()).toContainEqual(
      expect.objectContaining({ kind: 'payment_undone', subject: payment.id }),
    )
  })
})
