import { Keypair } from '@solana/web3.js'
import { keccak256, parseUnits, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import type { JobRequest } from '../../../../kernel/jobs.js'
import { wholePool } from '../../../../test/harness/evm-node-pool.js'
import { startSettlementHarness, startSolanaSettlementHarness } from '../../../../test/harness/settlement.js'
import { signWire } from '../../../../test/harness/solana-side.js'
import { cryptoInput, signPayment } from '../../fixtures/crypto-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import type { Payment } from '../../store/payment.entity.js'
import { createTransaction } from '../create-transaction.js'
import { executeOnChain } from './execute-on-chain.js'
import { takeUpSent } from './take-up-sent.js'
import type { FindSentJob } from './transfer-jobs.js'
import { minedReceipt } from '../../../../sandbox/anvil/mined-receipt.js'

const harness = await startSettlementHarness()

/** Somebody with coins and tokens. */
const payer = () => privateKeyToAccount(harness.treasuryKey)

async function createdPayment(): Promise<Payment> {
  const splitPaymentConfig = [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
  const payment = await checkoutPayment(harness, { splitPaymentConfig })
  return createTransaction(harness.deps, harness.tenant, cryptoInput(payment, payer().address))
}

const handIn = (payment: Payment, txHash: string, deps = harness.deps) =>
  executeOnChain(deps, harness.tenant, { paymentId: payment.id, txHash })

/** The wallet sends by itself. */
async function sent(raw: Hex): Promise<Hex> {
  const hash = await harness.anvil.sendRawTransaction({ serializedTransaction: raw })
  await minedReceipt(harness.anvil, hash)
  return hash
}

describe('a transaction that its wallet has sent, handed in by its hash', () => {
  it.each(['eip1559', 'eip2930', 'legacy'])('pays like a signed one, of the type %s', async (type) => {
    const payment = await createdPayment()
    const fees =
      type === 'eip1559'
        ? {}
        : { gasPrice: parseUnits('3', 9), maxFeePerGas: undefined, maxPriorityFeePerGas: undefined }
    const hash = await sent(await signPayment(payer(), payment, { type, ...fees }))
    expect(await handIn(payment, hash.toUpperCase().replace('0X', '0x'))).toMatchObject({
      tidHash: hash,
      settled: true,
    })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', tidHash: hash })
    // The same again answers the same.
    expect(await handIn(payment, hash)).toMatchObject({ tidHash: hash, settled: true })
  })

  it('is waited for while no node knows it', async () => {
    const payment = await createdPayment()
    const raw = await signPayment(payer(), payment)
    const [answer] = await Promise.all([handIn(payment, keccak256(raw)), sent(raw)])
    expect(answer).toMatchObject({ tidHash: keccak256(raw), settled: true })
  })

  it('counts though the request has ended before any node knew it', async () => {
    const payment = await createdPayment()
    const raw = await signPayment(payer(), payment)
    const stopped = { ...harness.deps, isStopping: () => true }
    await expect(handIn(payment, keccak256(raw), stopped)).rejects.toMatchObject({
      code: 'broadcast_confirmation_timeout',
      details: keccak256(raw),
    })
    await sent(raw)
    await harness.goOn(5)
    await harness.goOn(5)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', tidHash: keccak256(raw) })
  })

  it('is looked for again soon where nodes were away when it was', async () => {
    const payment = await createdPayment()
    const raw = await signPayment(payer(), payment)
    const hash = keccak256(raw)
    const since = harness.clock.now().toISOString()
    await harness.anvil.setAutomine(false)
    await harness.anvil.sendRawTransaction({ serializedTransaction: raw })
    await harness.advance(100)
    const planned: JobRequest[] = []
    const deps = {
      ...harness.deps,
      addJobNow: (job: JobRequest) => {
        planned.push(job)
        return Promise.resolve()
      },
    }
    harness.pool.isCut = () => true
    await takeUpSent(deps, { tenantId: payment.tenantId, paymentId: payment.id, hash, since, askedAt: since })
    Object.assign(harness.pool, wholePool())
    const [next] = planned
    await harness.advance(10)
    await takeUpSent(deps, next?.payload as FindSentJob)
    await harness.anvil.setAutomine(true)
    await harness.anvil.mine({ blocks: 1 })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', signedTransaction: raw })
  })

  it('is looked for no longer than a block could take it in time, and leaves the payment open', async () => {
    const payment = await createdPayment()
    const stopped = { ...harness.deps, isStopping: () => true }
    const hash = keccak256('0x1234')
    await expect(handIn(payment, hash, stopped)).rejects.toMatchObject({ code: 'broadcast_confirmation_timeout' })
    await harness.goOn(27 * 60)
    expect(await harness.runJobs()).toMatchObject({ ran: [] })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', signedTransaction: null })
  })

  it('is looked for for the payment that it pays, though its hash was handed in for another one too', async () => {
    const [payment, other] = [await createdPayment(), await createdPayment()]
    const raw = await signPayment(payer(), payment)
    const stopped = { ...harness.deps, isStopping: () => true }
    for (const named of [payment, other]) {
      await expect(handIn(named, keccak256(raw), stopped)).rejects.toMatchObject({
        code: 'broadcast_confirmation_timeout',
      })
    }
    await sent(raw)
    for (let time = 0; time < 2; time += 1) {
      await harness.advance(5)
      await harness.runJobs()
    }
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', tidHash: keccak256(raw) })
    expect(await presentOf(harness, other)).toMatchObject({ status: 'pending', signedTransaction: null })
  })

  it('is refused where it is not what was built, or pays another payment', async () => {
    const [one, other] = [await createdPayment(), await createdPayment()]
    const foreign = await sent(await signPayment(payer(), other))
    await expect(handIn(one, foreign)).rejects.toMatchObject({ code: 'invalid_signed_transaction' })
    expect(await presentOf(harness, one)).toMatchObject({ status: 'pending', signedTransaction: null })
    expect(await handIn(other, foreign)).toMatchObject({ settled: true })
  })

  it('needs a hash, a transaction that was built, and one of both ways to hand in', async () => {
    const payment = await createdPayment()
    await expect(handIn(payment, '0x12')).rejects.toMatchObject({ code: 'invalid_parameters' })
    const registered = await checkoutPayment(harness)
    await expect(handIn(registered, keccak256('0x'))).rejects.toMatchObject({ code: 'missing_unsigned_transaction' })
    const both = { paymentId: payment.id, txHash: keccak256('0x'), signedTransaction: '0x12' }
    for (const input of [both, { paymentId: payment.id }]) {
      await expect(executeOnChain(harness.deps, harness.tenant, input)).rejects.toMatchObject({
        code: 'invalid_parameters',
        errors: [{ field: 'signedTransaction' }],
      })
    }
  })
})

describe('a wallet that is a contract', () => {
  it('gets nothing to sign: what it sends would stand beside what others do in the same transaction', async () => {
    const contract = harness.newReceiver() as Hex
    await harness.anvil.setCode({ address: contract, bytecode: '0x6000' })
    const payment = await checkoutPayment(harness)
    await expect(createTransaction(harness.deps, harness.tenant, cryptoInput(payment, contract))).rejects.toMatchObject(
      { code: 'validation_error', errors: [{ field: 'payerWallet' }] },
    )
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'registered' })
  })

  it('is none where a key has a contract act for it (EIP-7702)', async () => {
    const { address } = payer()
    await harness.anvil.setCode({ address, bytecode: `0xef0100${'11'.repeat(20)}` })
    try {
      expect(await createdPayment()).toMatchObject({ status: 'pending' })
    } finally {
      await harness.anvil.setCode({ address, bytecode: '0x' })
    }
  })
})

describe('a transaction on Solana that its wallet has sent, handed in by its signature', () => {
  it('pays like a signed one', async () => {
    const world = await startSolanaSettlementHarness()
    const { solana } = world
    const receiver = Keypair.generate().publicKey.toBase58()
    const { id } = await checkoutPayment(world, {
      splitPaymentConfig: [{ receiverWallet: receiver, receiverPercent: 100 }],
      toChain: 'solana',
      toCurrencySymbol: 'USDC',
    })
    const wallet = { chainName: 'solana', payerTokenSymbol: 'USDC' }
    const input = cryptoInput({ id }, solana.payer.publicKey.toBase58(), wallet)
    const payment = await createTransaction(world.deps, world.tenant, input)
    if (payment.unsignedTransaction?.family !== 'solana') throw new Error('nothing to sign')
    const raw = Buffer.from(signWire(solana.payer, payment.unsignedTransaction.serialized), 'base64')
    const txHash = await solana.client.connection.sendRawTransaction(raw)
    expect(await executeOnChain(world.deps, world.tenant, { paymentId: id, txHash })).toMatchObject({
      tidHash: txHash,
      settled: true,
    })
  })
})
