import { parseTransaction, type Address, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { localSigner, signTransaction } from '../../../chains/evm/signer.js'
import type { PaymentsDeps } from '../context.js'
import { crashingDeps, runMortal } from '../fixtures/crashing-deps.js'
import { chargedPayment, payAndProcess, payCharge, presentOf } from '../fixtures/pix-payments.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import type { PayoutChain } from './payout-chain.js'

/** Code that counts to 600,000 whenever it is paid: some 26 million gas. */
const LOOP: Hex = '0x620f42405b600190038060045700'
/** More than a block of the node holds (60 million). */
const TOO_MUCH_GAS = 80_000_000n

const harness = await startSettlementHarness()

const splitOf = (receiverWallet: Address) => [{ receiverWallet, receiverPercent: 100 }]
const alertsOf = async (subject: string) =>
  (await harness.deps.alerts.list()).filter((alert) => alert.subject === subject)

describe('a payout that the chain does not take', () => {
  it('does not run a receiver’s code at the treasury’s cost, and holds nobody else up', async () => {
    const greedy = harness.newReceiver()
    await harness.anvil.setCode({ address: greedy, bytecode: LOOP })
    const before = await harness.transactionCount()
    const bad = await chargedPayment(harness, {
      splitPaymentConfig: splitOf(greedy),
      toCurrencySymbol: 'POL',
      amountFrom: '0.10',
    })
    await payAndProcess(harness, bad.txid)
    expect(await presentOf(harness, bad.payment)).toMatchObject({ status: 'pending' })
    expect(await alertsOf(bad.payment.id)).toEqual([
      expect.objectContaining({
        kind: 'payout_failed',
        details: expect.stringMatching(/would fail: .*gas/i) as string,
      }),
    ])
    const plain = await chargedPayment(harness, { splitPaymentConfig: splitOf(harness.newReceiver()) })
    await payAndProcess(harness, plain.txid)
    expect(await presentOf(harness, plain.payment)).toMatchObject({ status: 'success' })
    const native = await chargedPayment(harness, {
      splitPaymentConfig: splitOf(harness.newReceiver()),
      toCurrencySymbol: 'POL',
    })
    await payAndProcess(harness, native.txid)
    expect(await presentOf(harness, native.payment)).toMatchObject({ status: 'success' })
    expect(await harness.transactionCount()).toBe(before + 2)
  })

  it('frees the nonce of a transaction that nodes refuse for good, and pays both payouts once', async () => {
    const before = await harness.transactionCount()
    const refused = await paymentOf()
    await refuseOnce(harness.runJobs, harness.deps)
    expect(await presentOf(harness, refused.payment)).toMatchObject({ status: 'pending' })
    const alerts = (await harness.deps.alerts.list()).filter(({ details }) => details?.includes(refused.payment.id))
    expect(alerts).toMatchObject([{ kind: 'payout_failed', count: 1 }])
    const other = await paymentOf()
    await harness.runJobs()
    expect(await presentOf(harness, other.payment)).toMatchObject({ status: 'success' })
    await harness.goOn(61)
    await expectPaidOnce(refused, other)
    // The one that only freed the nonce, and the two that paid.
    expect(await harness.transactionCount()).toBe(before + 3)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('waits where its token is not on the chain’s list any more, which an operator is told, and holds nobody else up', async () => {
    await harness.emptyTreasury()
    const unlisted = await paymentOf()
    await harness.runJobs()
    await harness.fundTreasury('1000000')
    const tokens = harness.deps.settings.chains[0]?.tokens as Record<string, unknown>
    const usdt = tokens['USDT']
    delete tokens['USDT']
    await harness.advance(61)
    const coins = { splitPaymentConfig: splitOf(harness.newReceiver()), toCurrencySymbol: 'POL' }
    const other = await chargedPayment(harness, coins)
    await payAndProcess(harness, other.txid)
    expect(await presentOf(harness, other.payment)).toMatchObject({ status: 'success' })
    expect(await presentOf(harness, unlisted.payment)).toMatchObject({ status: 'pending' })
    await harness.advance(11)
    await harness.deps.alerts.closeGone()
    expect(await alertsOf(harness.chain.name)).toContainEqual(
      expect.objectContaining({ kind: 'payout_stuck', details: expect.stringContaining('USDT is not on') as string }),
    )
    tokens['USDT'] = usdt
    await harness.goOn(16 * 60)
    await expectPaidOnce(unlisted)
  })

  it('pays once also where the worker dies on the way', { timeout: 60_000 }, async () => {
    const whole = crashingDeps(harness.deps, { atStep: Infinity, side: 'before' })
    await expectPaidDespite(whole.deps)
    const risky = ['chain.send', 'payouts.addVersion']
    expect(risky.filter((name) => !whole.steps.includes(name))).toEqual([])
    for (const atStep of risky.map((name) => whole.steps.indexOf(name))) {
      await expectPaidDespite(crashingDeps(harness.deps, { atStep, side: 'before' }).deps)
      await expectPaidDespite(crashingDeps(harness.deps, { atStep, side: 'after' }).deps)
    }
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})

/** A payout whose first transaction is refused, of a process that may die, and then of one that lives. */
async function expectPaidDespite(deps: PaymentsDeps): Promise<void> {
  const refused = await paymentOf()
  await refuseOnce(() => runMortal(harness, deps), deps)
  await harness.runJobs()
  await harness.goOn(61)
  await expectPaidOnce(refused)
}

interface Refused {
  payment: Awaited<ReturnType<typeof chargedPayment>>['payment']
  receiver: Address
}

/** A payment that the provider has taken, whose jobs have not run. 54.2 BRL are 10 USDT. */
async function paymentOf(): Promise<Refused> {
  const receiver = harness.newReceiver()
  const { payment, txid } = await chargedPayment(harness, { splitPaymentConfig: splitOf(receiver), amountFrom: '54.2' })
  await payCharge(harness, txid)
  return { payment, receiver }
}

/** Runs jobs with a treasury that signs its first payouts with more gas than any block holds. */
async function refuseOnce<Result>(work: () => Promise<Result>, deps: PaymentsDeps): Promise<Result> {
  const [evm] = deps.payoutChains.evm ?? []
  if (!evm) throw new Error('there is no treasury')
  let isFirst = true
  const prepare: PayoutChain['prepare'] = async (chain, wanted) => {
    const preparation = await evm.prepare(chain, wanted)
    if (!isFirst || preparation.prepared.length === 0) return preparation
    isFirst = false
    const prepared = preparation.prepared.map(async (one) => ({ ...one, ...(await withTooMuchGas(one.raw as Hex)) }))
    return { ...preparation, prepared: await Promise.all(prepared) }
  }
  deps.payoutChains.evm = [{ ...evm, prepare }]
  try {
    return await work()
  } finally {
    deps.payoutChains.evm = [evm]
  }
}

async function withTooMuchGas(raw: Hex): Promise<{ hash: Hex; raw: Hex }> {
  const { to, data = '0x', value = 0n, nonce = 0, chainId = 0, ...fees } = parseTransaction(raw)
  if (!to) throw new Error('a payout without a target')
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = fees
  return signTransaction(localSigner(harness.treasuryKey), {
    to,
    data,
    value,
    nonce,
    chainId,
    maxFeePerGas,
    maxPriorityFeePerGas,
    gas: TOO_MUCH_GAS,
  })
}

async function expectPaidOnce(...refused: Refused[]): Promise<void> {
  for (const { payment, receiver } of refused) {
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await harness.balanceOf(receiver)).toBe(10_000_000n)
  }
}
