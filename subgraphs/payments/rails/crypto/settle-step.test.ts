import { parseEther, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { act } from '../../../../test/harness/evm.js'
import { startSettlementHarness } from '../../../../test/harness/settlement.js'
import { until } from '../../../../test/harness/until.js'
import { createTransaction } from '../../domain/create-transaction.js'
import { executeOnChain } from '../../domain/transfers/execute-on-chain.js'
import { cryptoInput, signPayment } from '../../fixtures/crypto-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import type { Payment } from '../../store/payment.entity.js'

const harness = await startSettlementHarness()
const { anvil } = harness
const payer = privateKeyToAccount(generatePrivateKey())
for (const address of [payer.address, harness.options.gasPayerSigner.address]) {
  await anvil.setBalance({ address, value: parseEther('10000') })
}

interface Paid {
  payment: Payment
  /** The split's address. */
  split: Address
}

/** A payment in the coin to two receivers, which its payer has paid; nothing of it is shared out yet. */
async function paid(receivers: readonly [Address, Address]): Promise<Paid> {
  const splitPaymentConfig = receivers.map((receiverWallet) => ({ receiverWallet, receiverPercent: 50 }))
  const registered = await checkoutPayment(harness, { splitPaymentConfig, toCurrencySymbol: 'POL' })
  const input = cryptoInput(registered, payer.address, { payerTokenSymbol: 'POL' })
  const payment = await createTransaction(harness.deps, harness.tenant, input)
  const signedTransaction = await signPayment(payer, payment)
  await executeOnChain(harness.deps, harness.tenant, { paymentId: payment.id, signedTransaction })
  if (payment.unsignedTransaction?.family !== 'evm') throw new Error('nothing to sign')
  return { payment, split: payment.unsignedTransaction.transactionRequest.to as Address }
}

async function pass(seconds = 1): Promise<void> {
  await harness.advance(seconds)
  await harness.runJobs()
}

/** How many transactions of the gas payer were of one kind for a payment. */
async function countSent({ id }: Payment, kind: 'distribute' | 'claim'): Promise<number> {
  const rows = await harness.query('select 1 from payments.operator_transaction where purpose like $1', [
    `split:${id}:${kind}%`,
  ])
  return rows.length
}

describe('a stranger who sends single units to a split', () => {
  it('neither keeps its payment pending nor has us share them out', async () => {
    const { payment, split } = await paid([harness.newReceiver(), harness.newReceiver()])
    for (let look = 0; look < 10; look += 1) {
      await act({ anvil }, { from: payer.address, to: split, value: 1n })
      await pass()
    }
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await countSent(payment, 'distribute')).toBe(1)
  })
})

/** Code of a receiver: burns all gas that it gets and takes nothing, or takes everything. */
const [REFUSES, TAKES] = ['0xfe', '0x00'] as const

const isCalledFor = async ({ id }: Payment) =>
  (await harness.deps.alerts.list()).some(({ kind, subject }) => kind === 'split_failed' && subject === id)

describe('a receiver whose code burns in the block what it did not use when it was estimated', () => {
  it('keeps nobody behind it from being paid, and is owed its own share', async () => {
    const [receiver, other] = [harness.newReceiver(), harness.newReceiver()]
    await anvil.setCode({ address: receiver, bytecode: TAKES })
    const { payment, split } = await paid([receiver, other])
    await pass()
    await until('it is deployed', async () => (await anvil.getCode({ address: split })) !== undefined)
    await anvil.setAutomine(false)
    await pass()
    expect(await countSent(payment, 'distribute')).toBe(1)
    await anvil.setCode({ address: receiver, bytecode: REFUSES })
    await anvil.mine({ blocks: 1 })
    await anvil.setAutomine(true)
    const share = await anvil.getBalance({ address: other })
    expect(share).toBeGreaterThan(0n)
    expect((await anvil.getBalance({ address: split })) - share).toBeLessThan(2n)
    await anvil.setCode({ address: receiver, bytecode: TAKES })
    for (let look = 0; look < 4; look += 1) await pass(5)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect([await countSent(payment, 'distribute'), await countSent(payment, 'claim')]).toEqual([1, 1])
  })
})

describe('a receiver who takes its share when a node tries it, and refuses in the block', () => {
  it('has one claim sent, an operator called and another one later, and is paid once it takes it', async () => {
    const [receiver, other] = [harness.newReceiver(), harness.newReceiver()]
    const become = (bytecode: Hex) => anvil.setCode({ address: receiver, bytecode })
    await become(REFUSES)
    const { payment, split } = await paid([receiver, other])
    for (let look = 0; look < 5; look += 1) await pass()
    const share = await anvil.getBalance({ address: other })
    expect(share).toBeGreaterThan(0n)
    expect(await isCalledFor(payment)).toBe(true)
    await anvil.setAutomine(false)
    await harness.advance(600)
    for (let block = 0; block < 10; block += 1) {
      await become(TAKES)
      await pass(5)
      await become(REFUSES)
      await anvil.mine({ blocks: 1 })
    }
    await anvil.setAutomine(true)
    expect(await countSent(payment, 'claim')).toBe(1)
    await pass(120)
    expect(await isCalledFor(payment)).toBe(true)
    expect(await anvil.getBalance({ address: split })).toBeGreaterThan(0n)
    await become(TAKES)
    for (let look = 0; look < 4; look += 1) await pass(600)
    expect(await countSent(payment, 'claim')).toBe(2)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect((await anvil.getBalance({ address: receiver })) - share).toBeLessThan(2n)
    expect(await anvil.getBalance({ address: split })).toBe(0n)
    expect(await isCalledFor(payment)).toBe(false)
  })
})

describe('a receiver whose claim succeeds where a node tries it, and not as the gas payer sends it', () => {
  it.each([
    ['takes its share of nobody but the zero address', '0x32600557005bfe'],
    ['leaves no fifth of the gas that a claim may have', '0x620088b85b600190038060045700'],
  ] as const)('%s: the others are paid', async (_, bytecode) => {
    const [receiver, other] = [harness.newReceiver(), harness.newReceiver()]
    for (const address of [receiver, other]) await anvil.setCode({ address, bytecode: REFUSES })
    const { payment, split } = await paid([receiver, other])
    for (let look = 0; look < 4; look += 1) await pass()
    expect(await countSent(payment, 'distribute')).toBe(1)
    await anvil.setCode({ address: receiver, bytecode })
    await anvil.setCode({ address: other, bytecode: TAKES })
    for (let look = 0; look < 3; look += 1) await pass(600)
    const share = await anvil.getBalance({ address: other })
    expect(share).toBeGreaterThan(0n)
    expect((await anvil.getBalance({ address: split })) - share).toBeLessThan(2n)
    expect(await isCalledFor(payment)).toBe(true)
  })
})
