import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../../../../kernel/errors.js'
import { DUE, startAddressHarness, units } from '../../fixtures/address-payments.js'
import { cryptoInput, signPayment } from '../../fixtures/crypto-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import type { Payment } from '../../store/payment.entity.js'
import { cancelPayment } from '../cancel-payment.js'
import { createTransaction } from '../create-transaction.js'
import { executeOnChain } from '../transfers/execute-on-chain.js'
import { endWatches } from './end-watches.js'
import { watchAddresses } from './watch-addresses.js'

const { harness, anvil, deps, tenant, open, addressOf, opened, send, pass, priceRunsOut, untilSettled, alertsOn } =
  await startAddressHarness()
const { pool } = harness
const DAY_SECONDS = 24 * 3_600

const look = () => watchAddresses(deps, { chainName: 'polygon', scope: 'all' })

/** The chain's own time follows, a block is confirmed after it, all addresses are looked at, and operators told. */
async function daysPass(days: number): Promise<void> {
  await harness.advance(days * DAY_SECONDS)
  await priceRunsOut()
  await anvil.mine({ blocks: 3 })
  await look()
  await harness.runJobs()
}

/** Its time is over, and that of its price is long ago; whether that was read is another thing. */
async function watchRunsOut({ id }: Payment): Promise<void> {
  await priceRunsOut()
  const now = harness.clock.now().toISOString()
  await harness.query('update payments.payment_address set watch_until = $1 where payment_id = $2', [now, id])
  await priceRunsOut()
}

async function watchEnds(payment: Payment): Promise<void> {
  await watchRunsOut(payment)
  await anvil.mine({ blocks: 3 })
  await look()
  expect(await addressOf(payment)).toMatchObject({ lastReadBlock: expect.any(BigInt) as bigint })
}

/** What comes next is confirmed, and looked at. */
async function comes(payment: Payment, amount: string): Promise<void> {
  await send(await addressOf(payment), amount)
  await pass(2)
  await look()
}

/** A payment to which too little came in time. */
async function underpaid(amount: string): Promise<Payment> {
  const splitPaymentConfig = [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
  const payment = await open(await checkoutPayment(harness, { splitPaymentConfig }))
  await send(await addressOf(payment), amount)
  await pass(2)
  await priceRunsOut()
  await priceRunsOut()
  await pass()
  return payment
}

const inAll = '7 USDT in all (3 since the last word) came to'

const toldOf = (amount: string) => ({
  kind: 'deposit_unexpected',
  details: expect.stringContaining(`${amount} USDT came to`) as string,
})

beforeEach(async () => {
  await harness.query(
    `update payments.payment_address set watch_until = 'epoch', last_read_block = 0, look_back_at = null`,
  )
})
afterEach(() => {
  pool.refuses = () => false
})

describe('what comes to an address after its watch is over', () => {
  it('is told to an operator though nobody opens the address again, once', async () => {
    const { payment } = await opened()
    await watchEnds(payment)
    await opened()
    await comes(payment, '4')
    expect(await alertsOn(payment)).toEqual([])
    await daysPass(2)
    expect(await alertsOn(payment)).toMatchObject([{ ...toldOf('4'), count: 1 }])
    await daysPass(4)
    expect(await alertsOn(payment)).toMatchObject([{ ...toldOf('4'), count: 1 }])
    await comes(payment, '3')
    await daysPass(8)
    const told = { kind: 'deposit_unexpected', details: expect.stringContaining(inAll) as string, count: 2 }
    expect(await alertsOn(payment)).toMatchObject([told])
    expect(await addressOf(payment)).toMatchObject({ laidBefore: 7_000_000n })
  })

  it('is told though its payment was paid, and its receivers have what came in time', async () => {
    const { payment, address } = await opened()
    await send(address, DUE)
    await untilSettled(payment)
    await watchEnds(payment)
    await opened()
    await comes(payment, '2')
    await daysPass(2)
    expect(await alertsOn(payment)).toMatchObject([toldOf('2')])
  })

  it('is not told where it is what a wallet has paid the receivers with, by the same address', async () => {
    const shares = [60, 40].map((receiverPercent) => ({ receiverWallet: harness.newReceiver(), receiverPercent }))
    const payment = await open(await checkoutPayment(harness, { splitPaymentConfig: shares }))
    await watchEnds(payment)
    await opened()
    const payer = privateKeyToAccount(harness.treasuryKey)
    const built = await createTransaction(deps, tenant, cryptoInput(payment, payer.address))
    const signedTransaction = await signPayment(payer, built)
    // What was relayed is waited for until it has its confirmations.
    await anvil.setIntervalMining({ interval: 1 })
    await executeOnChain(deps, tenant, { paymentId: payment.id, signedTransaction })
    await anvil.setAutomine(true)
    await untilSettled(payment)
    await daysPass(2)
    const { laidBefore, lookBackAt } = await addressOf(payment)
    expect([laidBefore, lookBackAt !== null && lookBackAt > harness.clock.now()]).toEqual([units(DUE), true])
    expect(await alertsOn(payment)).toEqual([])
    // The price once more is no wallet's.
    await comes(payment, DUE)
    await daysPass(4)
    expect(await alertsOn(payment)).toMatchObject([toldOf(DUE)])
  })

  it('is told once the address is opened again, and keeps its payment from no end', async () => {
    const payment = await underpaid('3')
    await watchEnds(payment)
    await opened()
    await comes(payment, '4')
    await open(payment)
    await expect(cancelPayment(deps, tenant, { id: payment.id })).rejects.toMatchObject({
      code: 'payment_already_processed',
    })
    await anvil.mine({ blocks: 3 })
    await look()
    await harness.runJobs()
    expect(await alertsOn(payment)).toMatchObject([toldOf('4')])
    expect(await addressOf(payment)).toMatchObject({ laidBefore: 4_000_000n, lastReadBlock: null })
    await comes(payment, '2')
    await priceRunsOut()
    await priceRunsOut()
    await pass(2)
    expect(await presentOf(harness, payment)).toMatchObject({
      status: 'error',
      receivedAmount: '5',
      dataError: { code: 'underpaid' },
    })
  })

  it('leaves what comes once the address is opened again to count', async () => {
    const payment = await underpaid('3')
    await watchEnds(payment)
    await opened()
    await comes(payment, '4')
    await open(payment)
    await comes(payment, '2')
    await anvil.mine({ blocks: 3 })
    await look()
    expect(await addressOf(payment)).toMatchObject({ laidBefore: 4_000_000n })
    expect(await presentOf(harness, payment)).toMatchObject({ receivedAmount: '5' })
  })

  it('counts, and lies there no more, where it is found after all', async () => {
    const payment = await underpaid('3')
    await watchEnds(payment)
    await opened()
    await send(await addressOf(payment), '4')
    await anvil.mine({ blocks: 3 })
    await look()
    await open(payment)
    await anvil.mine({ blocks: 3 })
    await look()
    expect(await addressOf(payment)).toMatchObject({ laidBefore: 4_000_000n })
    await watchAddresses(deps, { chainName: 'polygon', scope: 'open' })
    const told: unknown[] = []
    const addJob: typeof deps.addJob = (em, job) => deps.addJob(em, job).finally(() => told.push(job))
    await watchAddresses({ ...deps, addJob }, { chainName: 'polygon', scope: 'all' })
    expect(await addressOf(payment)).toMatchObject({ laidBefore: 0n })
    expect(await presentOf(harness, payment)).toMatchObject({ receivedAmount: '7' })
    expect(JSON.stringify(told)).toMatch(
      /4 USDT of what came to \S+ on polygon while it was not watched was found after all, or is there no more/,
    )
  })

  it('counts where nothing was read of its chain until the address is opened again', async () => {
    const payment = await underpaid('3')
    await watchEnds(payment)
    await send(await addressOf(payment), '4')
    await open(payment)
    await comes(payment, '2')
    expect(await presentOf(harness, payment)).toMatchObject({ receivedAmount: '9' })
    expect(await addressOf(payment)).toMatchObject({ laidBefore: 0n })
    expect(await alertsOn(payment)).toEqual([])
  })

  it('is written down and told once by two looks at once', async () => {
    const { payment } = await opened()
    await watchEnds(payment)
    await opened()
    await comes(payment, '4')
    const later = new Date(harness.clock.now().getTime() + 2 * DAY_SECONDS * 1000)
    await anvil.increaseTime({ seconds: 2 * DAY_SECONDS + 60 })
    await anvil.mine({ blocks: 3 })
    const due = await deps.addresses.lookBacksDue('polygon', later, 10)
    expect(due).toHaveLength(1)
    await look()
    const upTo = await deps.addresses.cursor('polygon', 'all')
    if (!upTo) throw new Error('nothing was read')
    const told: unknown[] = []
    const addJob: typeof deps.addJob = (em, job) => {
      told.push(job)
      return deps.addJob(em, job)
    }
    await Promise.all([1, 2].map(() => endWatches({ ...deps, addJob }, harness.chain, { upTo, due })))
    expect(told).toHaveLength(1)
    await harness.runJobs()
    expect(await alertsOn(payment)).toMatchObject([{ ...toldOf('4'), count: 1 }])
    expect(await addressOf(payment)).toMatchObject({ laidBefore: 4_000_000n })
  })
})

describe('what comes to an address in time', () => {
  it('is read and counts though its chain was not read by the end of its watch', async () => {
    const { payment, address } = await opened()
    await look()
    pool.refuses = ({ method }) => method === 'eth_getLogs'
    await send(address, '4')
    await watchRunsOut(payment)
    await anvil.mine({ blocks: 3 })
    await look()
    expect(await addressOf(payment)).toMatchObject({ lastReadBlock: null })
    await expect(cancelPayment(deps, tenant, { id: payment.id })).rejects.toBeInstanceOf(AppError)
    pool.refuses = () => false
    await look()
    expect(await presentOf(harness, payment)).toMatchObject({ receivedAmount: '4' })
    await look()
    expect(await addressOf(payment)).toMatchObject({ lastReadBlock: expect.any(BigInt) as bigint, laidBefore: 0n })
  })

  it('is read though its block has its confirmations only after the end of its watch', async () => {
    const { payment, address } = await opened()
    await look()
    await send(address, '4')
    const { timestamp } = await anvil.getBlock()
    await harness.query('update payments.payment_address set watch_until = to_timestamp($1) where payment_id = $2', [
      Number(timestamp),
      payment.id,
    ])
    // The chain's time may be ahead.
    await harness.advance(Math.max(0, Number(timestamp) - harness.clock.now().getTime() / 1_000) + 3_600)
    await look()
    expect(await addressOf(payment)).toMatchObject({ lastReadBlock: null })
    await anvil.increaseTime({ seconds: 2 })
    await anvil.mine({ blocks: 3 })
    await look()
    expect(await presentOf(harness, payment)).toMatchObject({ receivedAmount: '4' })
    expect(await addressOf(payment)).toMatchObject({ lastReadBlock: expect.any(BigInt) as bigint })
  })

  it('is told as what comes after it where its chain could not be read for a week', async () => {
    const { payment, address } = await opened()
    await look()
    await send(address, '4')
    await watchRunsOut(payment)
    await harness.advance(8 * DAY_SECONDS)
    await opened()
    await daysPass(0)
    await look()
    expect(await addressOf(payment)).toMatchObject({ lastReadBlock: expect.any(BigInt) as bigint })
    expect(await presentOf(harness, payment)).toMatchObject({ receivedAmount: null })
    await daysPass(2)
    expect(await alertsOn(payment)).toMatchObject([toldOf('4')])
  })

  it('is read again where blocks are dropped that were read before the watch ended', async () => {
    const { payment, address } = await opened()
    await send(address, '4')
    const block = (await anvil.getBlockNumber()) - 1n
    await watchEnds(payment)
    expect(await presentOf(harness, payment)).toMatchObject({ receivedAmount: '4' })
    await opened()
    await deps.addresses.rewind('polygon', ['open', 'all'], { block, blockHash: '0x' })
    await look()
    expect(await addressOf(payment)).toMatchObject({ lastReadBlock: expect.any(BigInt) as bigint, laidBefore: 0n })
    expect(await presentOf(harness, payment)).toMatchObject({ receivedAmount: '4' })
    expect(await alertsOn(payment)).toEqual([])
  })
})
