import { keccak256, parseUnits, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { postJson } from '../../../../test/harness/control.js'
import { wholePool } from '../../../../test/harness/evm-node-pool.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import { cryptoInput, signPayment } from '../../fixtures/crypto-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { startSettlementHarness } from '../../../../test/harness/settlement.js'
import { until } from '../../../../test/harness/until.js'
import type { Payment } from '../../store/payment.entity.js'
import { createTransaction } from '../create-transaction.js'
import { executeOnChain } from './execute-on-chain.js'
import { minedReceipt } from '../../../../sandbox/anvil/mined-receipt.js'

const harness = await startSettlementHarness()
afterEach(() => Object.assign(harness.pool, wholePool()))

const LIFE_SECONDS = 16 * 60

/** Somebody with coins and tokens. */
const payer = () => privateKeyToAccount(harness.treasuryKey)

const create = (payment: Payment) =>
  createTransaction(harness.deps, harness.tenant, cryptoInput(payment, payer().address))

async function createdPayment() {
  const receiver = harness.newReceiver()
  const payment = await create(
    await checkoutPayment(harness, { splitPaymentConfig: [{ receiverWallet: receiver, receiverPercent: 100 }] }),
  )
  return { payment, receiver, raw: await sign(payment) }
}

/** Signs what a payment's payer was given, as a wallet does. */
function sign(payment: Payment, changes: { nonce?: number; gas?: bigint; feeFactor?: bigint } = {}): Promise<Hex> {
  const { feeFactor = 1n, ...others } = changes
  const unsigned = payment.unsignedTransaction
  if (unsigned?.family !== 'evm') throw new Error('nothing to sign')
  const { maxFeePerGas, maxPriorityFeePerGas } = unsigned.transactionRequest
  return signPayment(payer(), payment, {
    maxFeePerGas: BigInt(maxFeePerGas) * feeFactor,
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas) * feeFactor,
    ...others,
  })
}

const execute = (payment: Payment, signedTransaction: string) =>
  executeOnChain(harness.deps, harness.tenant, { paymentId: payment.id, signedTransaction })

/** The wallet sends it past us. */
async function broadcast(raw: Hex): Promise<Hex> {
  const hash = await harness.anvil.sendRawTransaction({ serializedTransaction: raw })
  await minedReceipt(harness.anvil, hash)
  return hash
}

describe('a transaction that the wallet sent past us', () => {
  it('is taken after the quote expired, where its block is in time', async () => {
    const { payment, raw } = await createdPayment()
    const hash = await broadcast(raw)
    await harness.advance(LIFE_SECONDS)
    expect(await execute(payment, raw)).toMatchObject({ tidHash: hash, settled: true })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', tidHash: hash })
  })

  it('is refused after the quote expired, where no block has it', async () => {
    const { payment } = await createdPayment()
    await harness.advance(LIFE_SECONDS)
    await expect(execute(payment, await sign(payment))).rejects.toMatchObject({ code: 'invalid_payment_status' })
  })

  it('is taken though it was built afresh since, for what was quoted then', async () => {
    const { payment, raw } = await createdPayment()
    await postJson(`${harness.prices.url}/sandbox/price`, { symbol: 'USDTBRL', price: '5.50' })
    await harness.advance(60)
    const fresh = await create(payment)
    expect(fresh.amountTo).not.toBe(payment.amountTo)
    await expect(execute(payment, raw)).rejects.toMatchObject({ code: 'invalid_signed_transaction' })
    const hash = await broadcast(raw)
    expect(await execute(payment, raw)).toMatchObject({ tidHash: hash, settled: true })
    expect(await presentOf(harness, payment)).toMatchObject({
      status: 'success',
      amountTo: payment.amountTo,
      quoteId: payment.quoteId,
    })
  })

  it('is taken where the wallet sped it up: the same call with other fees has another hash', async () => {
    const { payment, raw } = await createdPayment()
    const hash = await broadcast(await sign(payment, { feeFactor: 2n }))
    expect(hash).not.toBe(keccak256(raw))
    expect(await execute(payment, raw)).toMatchObject({ tidHash: hash, settled: true })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', tidHash: hash })
  })

  it('is not taken where another transaction has its nonce', async () => {
    const { payment, raw } = await createdPayment()
    const { payment: other } = await createdPayment()
    await broadcast(await sign(other))
    await expect(execute(payment, raw)).rejects.toMatchObject({ code: 'stale_transaction_nonce' })
  })
})

describe('a transaction whose nonce is too high', () => {
  const nonceOf = ({ unsignedTransaction: built }: Payment) =>
    built?.family === 'evm' ? built.transactionRequest.nonce : 0

  it('is refused, is not sent, and the payment takes another', async () => {
    const { payment } = await createdPayment()
    // A wallet that counts a transaction that was never sent.
    const raw = await sign(payment, { nonce: nonceOf(payment) + 1 })
    await expect(execute(payment, raw)).rejects.toMatchObject({ code: 'stale_transaction_nonce' })
    await expect(harness.anvil.getTransaction({ hash: keccak256(raw) })).rejects.toThrow()
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', signedTransaction: null })
    expect(await execute(payment, await sign(payment))).toMatchObject({ settled: true })
  })

  it('is taken where only one of two nodes counts too few', async () => {
    const { payment } = await createdPayment()
    const { payment: other } = await createdPayment()
    // The wallet has sent something else meanwhile.
    await broadcast(await sign(other))
    let counts = 0
    harness.pool.lagBlocks = 1
    harness.pool.isBehind = ([method]) => method === 'eth_getTransactionCount' && (counts += 1) === 1
    expect(await execute(payment, await sign(payment, { nonce: nonceOf(payment) + 1 }))).toMatchObject({
      settled: true,
    })
    expect(counts).toBeGreaterThan(1)
  })
})

describe('a transaction that a node calls replaced', () => {
  it('is not given back to its payer where the node only does not show that it has landed', async () => {
    const { payment, receiver, raw } = await createdPayment()
    const isLook = (methods: readonly string[]) =>
      methods.length > 1 || !/eth_send|eth_blockNumber/.test(methods.join())
    harness.pool.lagBlocks = 5
    await harness.anvil.mine({ blocks: 5 })
    harness.pool.isBehind = isLook
    // The answer to the first send is lost; the same bytes are then refused, as their nonce is used.
    harness.pool.isCut = ([method]) => method === 'eth_sendRawTransaction'
    const answer = execute(payment, raw).catch((error: unknown) => error)
    await until('the transaction has landed', async () => (await harness.balanceOf(receiver)) > 0n)
    harness.pool.isCut = () => false
    await harness.goOn(61)
    await harness.goOn(61)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', signedTransaction: raw })
    Object.assign(harness.pool, wholePool())
    expect(await answer).toMatchObject({ settled: true })
    expect(await harness.balanceOf(receiver)).toBe(parseUnits(payment.amountTo ?? '', 6))
  })
})

describe('a transaction that was refused and given back, as another one of its wallet waited with its nonce', () => {
  afterEach(() => harness.anvil.setAutomine(true))

  /** The other one is gone again. */
  async function refused() {
    const created = await createdPayment()
    await harness.anvil.setAutomine(false)
    const other = await sign((await createdPayment()).payment, { feeFactor: 9n })
    const hash = await harness.anvil.sendRawTransaction({ serializedTransaction: other })
    await expect(execute(created.payment, created.raw)).rejects.toMatchObject({ code: 'stale_transaction_nonce' })
    expect(await presentOf(harness, created.payment)).toMatchObject({ status: 'pending', signedTransaction: null })
    await harness.anvil.request({ method: 'anvil_dropTransaction', params: [hash] } as never)
    return created
  }
  const isKnown = (raw: Hex) =>
    harness.anvil.getTransaction({ hash: keccak256(raw) }).then(
      () => true,
      () => false,
    )

  it('pays where it is handed in again', async () => {
    const { payment, receiver, raw } = await refused()
    await harness.anvil.setAutomine(true)
    expect(await execute(payment, raw)).toMatchObject({ tidHash: keccak256(raw), settled: true })
    expect(await harness.balanceOf(receiver)).toBe(parseUnits(payment.amountTo ?? '', 6))
    await harness.goOn(600)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', tidHash: keccak256(raw) })
    expect(await harness.deps.alerts.list()).toEqual([])
  })

  it('is not sent once its price has run out', async () => {
    const { payment, raw } = await refused()
    await harness.advance(LIFE_SECONDS)
    await expect(execute(payment, raw)).rejects.toMatchObject({ code: 'invalid_payment_status' })
    expect(await isKnown(raw)).toBe(false)
  })

  it('is not sent by the job that was to go on with it', async () => {
    const { payment, raw } = await refused()
    await harness.goOn(5)
    expect(await isKnown(raw)).toBe(false)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', signedTransaction: null })
  })
})

describe('a transaction that no block takes', () => {
  it('is sent again in the same bytes soon after its node has lost it', async () => {
    const { payment, receiver, raw } = await createdPayment()
    await harness.anvil.setAutomine(false)
    const answer = execute(payment, raw)
    await untilSent(payment)
    await forget(keccak256(raw))
    await harness.advance(31)
    await harness.anvil.setAutomine(true)
    await harness.runJobs()
    expect(await answer).toMatchObject({ settled: true })
    expect(await harness.balanceOf(receiver)).toBe(parseUnits(payment.amountTo ?? '', 6))
  })

  it('is not given back to its payer where the node that lost it refuses it now: it may land still', async () => {
    const { payment, receiver, raw } = await createdPayment()
    const { address } = payer()
    await harness.anvil.setAutomine(false)
    const answer = execute(payment, raw)
    await untilSent(payment)
    await forget(keccak256(raw))
    const funds = await harness.anvil.getBalance({ address })
    await harness.anvil.setBalance({ address, value: 0n })
    await harness.goOn(31)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', signedTransaction: raw })
    await harness.anvil.setBalance({ address, value: funds })
    await harness.anvil.setAutomine(true)
    await harness.goOn(31)
    expect(await answer).toMatchObject({ settled: true })
    expect(await harness.balanceOf(receiver)).toBe(parseUnits(payment.amountTo ?? '', 6))
  })

  it('does not hold the payment for ever, and counts where a block takes it late', async () => {
    const { payment, receiver, raw } = await createdPayment()
    const hash = keccak256(raw)
    await harness.anvil.setAutomine(false)
    await expect(
      Promise.race([execute(payment, raw), untilSent(payment).then(() => Promise.reject(new Error('sent')))]),
    ).rejects.toThrow('sent')
    await expect(create(payment)).rejects.toMatchObject({ code: 'payment_already_processed' })
    await forget(hash)
    await harness.goOn(40 * 60)
    expect(await presentOf(harness, payment)).toMatchObject({
      status: 'error',
      dataError: { code: 'transaction_dropped' },
    })
    await harness.anvil.setAutomine(true)
    const fresh = await create(payment)
    expect(fresh.status).toBe('pending')
    // Whoever kept it sends it once more.
    await broadcast(raw)
    await harness.goOn(10 * 60)
    await harness.goOn(10)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', tidHash: hash })
    expect(await execute(payment, raw)).toMatchObject({ tidHash: hash, settled: true })
    expect(await harness.balanceOf(receiver)).toBe(parseUnits(payment.amountTo ?? '', 6))
  })

  /** The node forgets what waits, as nodes do after some hours. */
  async function forget(hash: Hex): Promise<void> {
    await harness.anvil.request({ method: 'anvil_dropAllTransactions' } as never)
    await expect(harness.anvil.getTransaction({ hash })).rejects.toThrow()
  }

  async function untilSent(payment: Payment): Promise<void> {
    await until('the transaction is sent', async () => {
      const [row] = await harness.query('select state from payments.relay where payment_id = $1', [payment.id])
      return row?.['state'] === 'sent'
    })
  }
})

describe('a transaction whose block is later than its quote', () => {
  it('is refused: the price does not hold any more', async () => {
    const { payment, raw } = await createdPayment()
    await harness.advance(LIFE_SECONDS)
    await harness.anvil.setNextBlockTimestamp({ timestamp: BigInt(Math.ceil(harness.clock.now().getTime() / 1000)) })
    await broadcast(raw)
    await expect(execute(payment, raw)).rejects.toMatchObject({ code: 'invalid_payment_status' })
  })
})
